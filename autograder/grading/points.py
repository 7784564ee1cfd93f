"""The rule of points: what one criterion of a check earns, and all of them together.

Each step is judged by itself: where it calls a step that is not right, a right one takes its place, and what it answers
then counts. If this answer shows a known mistake of a step that it is built from, made again in its own lines, it keeps
half of the points that rest on the answer; any other wrong answer costs all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.results import CheckResult, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.assignment.checks import Check, Criterion
    from autograder.compare import Difference
    from autograder.exam.questions import Asked
    from autograder.grading.repetition import Repetition
    from autograder.results import Feedback, Observation
    from autograder.values.values import Value

HALF = 0.5
# The remark that a step calls a debugger.
DEBUGGER = "debugger"


@dataclass
class CriterionResult:
    """The result of one criterion: facts first, then the words that are made of them.

    Attributes:
        asked: the question whose answer is wrong, or has none.
        seen: this answer; without its value if that is too large to search for its cause.
        difference: how it differs from the right answer; None if there is no answer.
        repetition: the known mistakes of called steps that the value shows, made again in the step's own lines.
        given_mistake: the same of the value, if this criterion was judged against the reference that makes it.
        quoted: the text that the probe of a remark returned.
        feedback: why the answer is wrong; None if it is right, or not explained.
        repeats: the earlier steps that lost points for the same mistake.
        called: the steps to fix, if the answer is right with right answers to its calls.
        stood_in: it was asked with right answers to its calls.
        refused: the last such call that the reference could not answer: the step, and its arguments.
    """

    outcome: Outcome
    remarks: tuple[str, ...] = ()
    printed: str = ""
    asked: Asked | None = None
    seen: Observation | None = None
    difference: Difference | None = None
    repetition: Repetition | None = None
    given_mistake: Repetition | None = None
    quoted: str = ""
    points: float = 0.0
    feedback: Feedback | None = None
    repeats: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    stood_in: bool = False
    refused: tuple[str, Mapping[str, Value]] | None = None

    @property
    def passed(self) -> bool:
        """Whether the answers are right."""
        return self.outcome is Outcome.PASSED


def earned(criterion: Criterion, value: CriterionResult | None, result: CriterionResult) -> float:
    """Return the points that a criterion earns.

    Args:
        value: the result of the check's value criterion, unless this is it.
        result: the criterion's own result.
    """
    if criterion.alone or value is None or value.passed:
        half = criterion.name == VALUE and result.repetition is not None
        return criterion.points if result.passed else HALF * criterion.points * half
    return HALF * criterion.points if result.passed and value.repetition else 0.0


def remarked(results: Mapping[str, CriterionResult]) -> dict[str, str]:
    """Return the remarks that are told, each with the text that its probe returned.

    Most are about a step that is right: else they may tell the cause of lost points once more.
    """
    right = all(one.passed for one in results.values())
    told = [one for name, one in results.items() if right or name == DEBUGGER]
    return {name: one.quoted for one in told for name in one.remarks}


def check_result(
    check: Check, results: Mapping[str, CriterionResult], feedback: Feedback | None
) -> CheckResult:
    """Sum up the criteria of a check. The first one that failed decides the outcome."""
    failed = [result for result in results.values() if not result.passed]
    first = next(iter(failed or results.values()))
    named = [one.feedback for one in failed if one.feedback and one.feedback.mistakes]
    return CheckResult(
        step=check.name,
        score=sum(result.points for result in results.values()),
        max_score=check.points,
        outcome=first.outcome,
        feedback=feedback,
        mistakes=tuple(dict.fromkeys(name for one in named for name in one.mistakes)),
        sure=bool(named) and all(one.sure for one in named),
        remarks=tuple(remarked(results)),
        carried_forward=next(
            (step for one in failed for step in (*one.repeats, *one.called)), None
        ),
        printed=first.printed,
    )
