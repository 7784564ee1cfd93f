"""What is said of a right answer from which gradients do not reach all inputs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.assignment.checks import VALUE
from autograder.exam.expected_json import load_release
from autograder.grading.judge import Judge
from autograder.grading.observations import Observations
from autograder.results import Observation, Outcome
from autograder.sandbox.session import Session
from autograder.values.values import freeze

if TYPE_CHECKING:
    from autograder.exam.questions import Exam, Request

pytestmark = pytest.mark.unit

RELEASE = Path(__file__).parents[2] / "assignments" / "self_attention"


class RightSession(Session):
    """A submission whose answers are right, and from which gradients reach these inputs."""

    def __init__(self, exam: Exam, reached: list[str]) -> None:
        self._right = {
            request: answers.right[0].value
            for question in exam.questions
            for request, answers in zip(question.requests, question.answers, strict=True)
        }
        self._reached = freeze(reached)

    def observe(self, request: Request, /) -> Observation:
        value = self._reached if request.operation == "graph" else self._right[request]
        return Observation(Outcome.PASSED, value)


@pytest.mark.parametrize(
    ("reached", "remarks"),
    [
        (["queries", "keys", "the result"], ()),
        (["keys", "the result"], ("cut_graph",)),
        ([], ("cut_graph",)),
    ],
)
def test_gradients_that_reach_a_part_are_cut(reached: list[str], remarks: tuple[str, ...]) -> None:
    exam = load_release(RELEASE)
    check = next(one for one in exam.assignment.checks if one.name == "attention_scores")
    judge = Judge(exam, Observations(RightSession(exam, reached)), lambda make: make())

    found = judge.ask(check)

    assert found[VALUE].remarks == remarks
    assert all(result.passed for result in found.values())
