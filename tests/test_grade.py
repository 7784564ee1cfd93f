"""How a check's questions are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from autograder.records import Outcome
from autograder.sandbox.session import Session
from tests.grading import grade_for_real

if TYPE_CHECKING:
    from autograder.exam import Exam

HANGS = """
def transfer_weights(sa_v2, sa_v1):
    while True:
        pass
"""


@pytest.mark.slow
def test_a_step_that_hangs_is_waited_for_once(
    exam: Exam, solution: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is another way to ask about it; it would take as long again."""
    asked: list[str] = []
    observe = Session.observe

    def listen(session: Session, step: str, *rest: Any) -> Any:
        asked.append(step)
        return observe(session, step, *rest)

    monkeypatch.setattr(Session, "observe", listen)
    result = grade_for_real(exam, f"{solution}\n{HANGS}", cpu=1.0)

    assert result.checks[-1].outcome is Outcome.TIMED_OUT
    assert asked.count("transfer_weights") == 1
