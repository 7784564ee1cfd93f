"""What of an observation leaves the session where the inputs are hidden."""

from __future__ import annotations

import pytest

from autograder.compare import Right
from autograder.exam.questions import Answers, Question, Request
from autograder.grading.observations import Observations
from autograder.results import Observation, Outcome, StudentError
from autograder.sandbox.session import Session
from autograder.values.values import freeze

pytestmark = pytest.mark.unit

INPUTS = "[1, 2, 3, 4, 5]"
QUESTION = Question("double", "value", "drawn", {}, (Answers((Right(freeze(1.0)),)),))


class SpokenSession(Session):
    """A submission whose step prints a text and raises an exception with another."""

    def __init__(self, printed: str, message: str) -> None:
        self.pieces = (("work.py", "def double(x): ..."),)
        error = StudentError("ValueError", message)
        self._seen = Observation(Outcome.RAISED, error=error, printed=printed)

    def observe(self, _: Request, /) -> Observation:
        return self._seen


@pytest.mark.parametrize(("printed", "message"), [(INPUTS, INPUTS), (INPUTS, ""), ("", INPUTS)])
def test_hidden_inputs_are_in_no_text_of_the_student(printed: str, message: str) -> None:
    session = SpokenSession(printed, message)

    hidden = Observations(session, hidden=True).observe(QUESTION, 0)
    shown = Observations(session).observe(QUESTION, 0)

    assert hidden.error is not None
    assert (hidden.printed, hidden.error.message) == tuple(
        text and "[...]" for text in (printed, message)
    )
    assert shown is session.observe(QUESTION.requests[0])
