"""What one criterion of a check earned, and what all of them earn together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.explain.feedback import remark_text, summed_up, written_alone
from autograder.explain.recognise import NOTHING, Recognition
from autograder.results import CheckResult, Outcome

if TYPE_CHECKING:
    from collections.abc import Collection

    from autograder.assignment.checks import Check, Criterion
    from autograder.exam.questions import Asked, Exam
    from autograder.grading.repetition import Repetition
    from autograder.results import Feedback


@dataclass
class CriterionResult:
    """The result of one criterion.

    Attributes:
        feedback: why the answer is wrong; None if it is right.
        found: the known mistakes that the answer shows.
        repetition: how the answer repeats earlier steps that already lost points.
        called: the earlier steps that the answer needs, if it is right with right answers to their calls.
        asked: the question whose answer is wrong, or has none.
        quoted: the text that the probe of a remark returned.
    """

    outcome: Outcome
    feedback: Feedback | None = None
    remarks: tuple[str, ...] = ()
    printed: str = ""
    found: Recognition = NOTHING
    repetition: Repetition | None = None
    called: tuple[str, ...] = ()
    points: float = 0.0
    asked: Asked | None = None
    quoted: str = ""

    @property
    def passed(self) -> bool:
        """Whether the answers are right."""
        return self.outcome is Outcome.PASSED

    @property
    def repeats(self) -> tuple[str, ...]:
        """The earlier steps that already lost points for what is wrong here."""
        return self.repetition.steps if self.repetition else self.called


def carried_points(check: Check, criterion: Criterion) -> float:
    """Return the points of a criterion where only an earlier step is at fault."""
    return criterion.points * (1 if criterion.alone else 1 - check.carried)


def earned(
    check: Check, criterion: Criterion, value: CriterionResult | None, result: CriterionResult
) -> float:
    """Return the points that a criterion earns. A repeated mistake keeps a part of them.

    `value` is the result of the check's value criterion, if it came before.
    """
    carried = carried_points(check, criterion)
    if not result.passed:
        return carried if criterion.name == VALUE and result.repeats else 0.0
    return criterion.points if value is None or value.passed else carried


def check_result(exam: Exam, check: Check, results: Collection[CriterionResult]) -> CheckResult:
    """Sum up the criteria of a check. The first one that failed decides the outcome."""
    failed = [result for result in results if not result.passed]
    first = next(iter(failed or results))
    # A remark is about a step that is right: else it may tell the cause of lost points once more.
    remarks = {} if failed else {name: result for result in results for name in result.remarks}
    criteria = written_alone([result.feedback for result in failed if result.feedback is not None])
    named = [feedback for feedback in criteria if feedback.mistakes]
    return CheckResult(
        step=check.name,
        score=sum(result.points for result in results),
        max_score=check.points,
        outcome=first.outcome,
        feedback=summed_up(
            criteria, [remark_text(exam, name, one.quoted) for name, one in remarks.items()]
        ),
        mistakes=tuple(dict.fromkeys(name for feedback in named for name in feedback.mistakes)),
        sure=bool(named) and all(feedback.sure for feedback in named),
        remarks=tuple(remarks),
        carried_forward=next((step for result in failed for step in result.repeats), None),
        printed=first.printed,
    )
