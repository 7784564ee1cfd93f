"""How a check's questions are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.feedback_text import check_markdown
from autograder.results import Outcome
from autograder.sandbox.session import Session
from tests.graders import check_step, grade_for_real, open_session
from tests.sandbox.forked import forked_interpreters

if TYPE_CHECKING:
    import pytest

    from autograder.exam.questions import Exam, Request
    from autograder.results import Observation

HANGS = """
def transfer_weights(sa_v2, sa_v1):
    while True:
        pass
"""


def test_a_step_that_hangs_is_waited_for_once(
    exam: Exam, solution: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is another way to ask about it; it would take as long again. It is tried for some lines, for its loop."""
    asked: list[tuple[str, str]] = []
    observe = Session.observe

    def listen(session: Session, request: Request) -> Observation:
        asked.append((request.operation, request.step))
        return observe(session, request)

    monkeypatch.setattr(Session, "observe", listen)
    with forked_interpreters():
        result = grade_for_real(exam, f"{solution}\n{HANGS}", cpu=1.0)

    assert result.checks[-1].outcome is Outcome.TIMED_OUT
    own = [operation for operation, step in asked if step == "transfer_weights"]
    assert own == ["observe", "try"]
    feedback = result.checks[-1].feedback
    assert feedback is not None
    assert "while True" in feedback.message


def test_a_file_that_cannot_be_loaded_is_loaded_once(
    exam: Exam, solution: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not again with right answers for its steps."""
    loaded: list[Session] = []
    load = Session.load

    def listen(session: Session, *, alone: bool = True) -> Observation | None:
        loaded.append(session)
        return load(session, alone=alone)

    monkeypatch.setattr(Session, "load", listen)
    with forked_interpreters():
        result = grade_for_real(exam, f"{solution}\nvars(torch).clear()\n")

    assert {check.outcome for check in result.checks} == {Outcome.CRASHED}
    assert len(loaded) == 1


CHANGES = """
def scale_scores(scores, d_k):
    scores -= 1
    return scores
"""


def test_an_input_that_was_changed_is_told(exam: Exam, solution: str) -> None:
    session = open_session(exam, f"{solution}\n{CHANGES}")
    assert "changes its input in place" in check_markdown(check_step(exam, session, "scale_scores"))
