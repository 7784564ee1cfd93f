"""Words for an answer of the reference with a small edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.words_of_edits import EDITS
from autograder.results import Feedback, Outcome

if TYPE_CHECKING:
    from autograder.explain.recognise import RecognisedEdits

# What stands before the code of an edit in the names of mistakes.
GENERATED = "generated:"


def is_generated(feedback: Feedback) -> bool:
    """Return whether feedback names an edit of the reference, and no mistake that somebody wrote down."""
    return any(name.startswith(GENERATED) for name in feedback.mistakes) and not feedback.repeats


def explain_edits(step: str, edits: RecognisedEdits) -> Feedback:
    """Say what was computed. Of several edits with this answer, the plainest is said."""
    _, code = edits.origins[0]
    what, look = EDITS[code]
    steps = {origin for origin, kind in edits.origins if kind == code}
    place = f", in its step `{min(steps)}`," if len(steps) == 1 and step not in steps else ""
    message = f"Your answer is that of the right computation, but{place} {what}."
    return Feedback(Outcome.WRONG, message, look, mistakes=(GENERATED + code,), sure=edits.sure)
