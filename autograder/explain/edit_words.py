"""The words for an answer of the reference with a small edit. The student's line is quoted where it shows the edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.words_of_edits import EDITS
from autograder.results import Feedback, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.explain.recognise import RecognisedEdits
    from autograder.explain.student_code import Definition

# What stands before the code of an edit in the names of mistakes.
GENERATED = "generated:"


def explain_edits(step: str, edits: RecognisedEdits, definitions: Sequence[Definition]) -> Feedback:
    """Say what was computed. Of several edits with this answer, the one comes first that the student's code shows."""
    shown = [(_shown(code, definitions), origin, code) for origin, code in edits.origins]
    written, origin, code = next((one for one in shown if one[0]), shown[0])
    what, look, _ = EDITS[code]
    place = f", in its step `{origin}`," if origin != step else ""
    says = f"This is what the right computation gives{place} {what}."
    if written:
        says, look = f"{says} You wrote `{written}`.", f"`{written}`. {look}"
    names = (GENERATED + code,)
    return Feedback(Outcome.WRONG, message=says, hint=look, mistakes=names, sure=edits.sure)


def _shown(code: str, definitions: Sequence[Definition]) -> str:
    """Return the student's own text that shows an edit; empty if none does."""
    patterns = EDITS[code][2]
    texts = (one.written(pattern) for pattern in patterns for one in definitions)
    return next(filter(None, texts), "")
