"""Words for an answer of the reference with a small edit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from autograder.explain.words_of_edits import EDITS, WRITTEN
from autograder.python_source import code_of
from autograder.results import Feedback, Outcome

if TYPE_CHECKING:
    from autograder.explain.recognise import RecognisedEdits
    from autograder.explain.student_code import Definition

# What stands before the code of an edit in the names of mistakes.
GENERATED = "generated:"


def is_generated(feedback: Feedback) -> bool:
    """Return whether feedback names an edit of the reference, and no mistake that somebody wrote down."""
    return any(name.startswith(GENERATED) for name in feedback.mistakes) and not feedback.repeats


def explain_edits(
    step: str, edits: RecognisedEdits, definition: Definition | None = None
) -> Feedback:
    """Say what was computed: the plainest of the edits with this answer that the source may have."""
    parts = definition.code.called_by(definition) if definition else ()
    source = code_of("\n".join(one.text for one in parts))
    for _, code in edits.origins:
        if definition is None or re.search(WRITTEN.get(code, ""), source):
            what, look = EDITS[code]
            steps = {origin for origin, kind in edits.origins if kind == code}
            only = f", in its step `{min(steps)}`,"
            place = only if len(steps) == 1 and step not in steps else ""
            message = f"Your answer is that of the right computation, but{place} {what}."
            names = (GENERATED + code,)
            return Feedback(Outcome.WRONG, message, look, mistakes=names, sure=edits.sure)
    return Feedback(Outcome.WRONG)
