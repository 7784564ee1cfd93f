"""Compute the points and the result of one check from the results of its criteria."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.explain.feedback import remark_text, summed_up
from autograder.results import CheckResult, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.assignment.checks import Check, Criterion
    from autograder.exam.questions import Exam
    from autograder.grading.criterion_result import CriterionResult


def earned(
    check: Check, criterion: Criterion, value: CriterionResult | None, result: CriterionResult
) -> float:
    """Return the points that a criterion earns. A repeated mistake keeps a part of them.

    `value` is the result of the check's value criterion, if it came before.
    """
    kept = (1 - check.carried) * criterion.points
    if result.outcome is not Outcome.PASSED:
        return kept if criterion.name == VALUE and result.repeats else 0.0
    wrong = value is not None and value.outcome is not Outcome.PASSED
    return kept if wrong and not criterion.alone else criterion.points


def check_result(
    exam: Exam, check: Check, score: float, results: Sequence[CriterionResult]
) -> CheckResult:
    """Sum up the criteria of a check. The first one that failed decides the outcome."""
    failed = [result for result in results if result.outcome is not Outcome.PASSED]
    first = failed[0] if failed else results[0]
    remarks = tuple(dict.fromkeys(name for result in results for name in result.remarks))
    criteria = [result.feedback for result in failed if result.feedback is not None]
    named = [feedback for feedback in criteria if feedback.mistakes]
    return CheckResult(
        step=check.name,
        score=score,
        max_score=check.points,
        outcome=first.outcome,
        feedback=summed_up(criteria, [remark_text(exam, name) for name in remarks]),
        mistakes=tuple(dict.fromkeys(name for feedback in named for name in feedback.mistakes)),
        sure=bool(named) and all(feedback.sure for feedback in named),
        remarks=remarks,
        carried_forward=next((step for result in failed for step in result.repeats), None),
        printed=first.printed,
    )
