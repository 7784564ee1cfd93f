"""Words for an answer of the reference with a small edit. Where the student's code shows the edit, it is quoted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.words_of_edits import EDITS, SEEN_IN_THE_NUMBERS
from autograder.results import Feedback, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.explain.recognise import RecognisedEdits
    from autograder.explain.rules import Finding
    from autograder.explain.student_code import Definition

# What stands before the code of an edit in the names of mistakes.
GENERATED = "generated:"


def is_generated(feedback: Feedback) -> bool:
    """Return whether feedback names an edit of the reference, and no mistake that somebody wrote down."""
    return any(name.startswith(GENERATED) for name in feedback.mistakes) and not feedback.repeats


def explain_edits(
    step: str,
    edits: RecognisedEdits,
    definitions: Sequence[Definition],
    described: Finding | None = None,
) -> Feedback:
    """Say what was computed. Of several edits with this answer, the one comes first that the student's code shows.

    Args:
        described: a property of the answer. It is said first, and alone if the kind of edit says no more.
    """
    codes = dict.fromkeys(code for _, code in edits.origins)
    shown = [(_shown(code, definitions), code) for code in codes]
    written, code = next((one for one in shown if one[0]), shown[0])
    what, look = EDITS[code][:2]
    steps = {origin for origin, kind in edits.origins if kind == code}
    place = f", in its step `{min(steps)}`," if len(steps) == 1 and step not in steps else ""
    says = f"Your answer is that of the right computation, but{place} {what}."
    if written:
        says, look = f"{says} You wrote `{written}`.", f"`{written}`. {look}"
    elif described and code in SEEN_IN_THE_NUMBERS:
        says = ""
    message = f"{described.says if described else ''} {says}".strip()
    look = look or (described.look if described else "")
    names = (GENERATED + code,)
    return Feedback(Outcome.WRONG, message=message, hint=look, mistakes=names, sure=edits.sure)


def _shown(code: str, definitions: Sequence[Definition]) -> str:
    """Return the student's own text that shows an edit; empty if none does, or if several do: one may be right."""
    for pattern in EDITS[code][2:]:
        texts = {text for one in definitions for text in one.every(pattern)}
        if len(texts) == 1:
            return texts.pop()
    return ""
