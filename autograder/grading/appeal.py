"""Judge one check of one submission again, and keep every question, answer and comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.compare import closest
from autograder.explain.recognise import known_mistakes
from autograder.grading.grade import begin, load
from autograder.grading.grader import Grader
from autograder.results import Outcome

if TYPE_CHECKING:
    from autograder.assignment.checks import Check, Criterion, Probe
    from autograder.compare import Difference, Right
    from autograder.exam.questions import Exam, Question
    from autograder.grading.observations import Observations
    from autograder.grading.points import CriterionResult
    from autograder.results import CheckResult, Observation
    from autograder.sandbox.sandbox import Sandbox
    from autograder.submission.read import Submission


@dataclass(frozen=True)
class JudgedCase:
    """One case: the question, the observation, and the answers that it was compared with.

    Attributes:
        right: the right answers; one of them is enough.
        difference: the difference from the first right answer; None if the answer is right or missing.
        fits: the known mistakes that give the observed answer.
    """

    question: Question
    probe: Probe
    seen: Observation
    right: tuple[Right, ...]
    difference: Difference | None
    fits: list[str]


@dataclass(frozen=True)
class JudgedCriterion:
    """One criterion. Without a result it did not count, because the step's value is wrong.

    Attributes:
        stand_ins: the steps for which right answers stood in when it was asked again.
        again: the cases of that.
    """

    criterion: Criterion
    result: CriterionResult | None
    cases: tuple[JudgedCase, ...]
    stand_ins: tuple[str, ...] = ()
    again: tuple[JudgedCase, ...] = ()

    @property
    def points(self) -> float:
        """The points that it earned."""
        return self.result.points if self.result else 0.0


@dataclass(frozen=True)
class JudgedCheck:
    """A check's result, and its criteria."""

    result: CheckResult
    criteria: tuple[JudgedCriterion, ...]


def judge_again(exam: Exam, submission: Submission, sandbox: Sandbox, step: str) -> JudgedCheck:
    """Judge the checks of a submission up to this step's, in the same way as for its mark.

    Raises GraderFault if the grader itself failed.
    """
    [check] = (check for check in exam.assignment.checks if check.name == step)
    with begin(exam, submission, sandbox) as session:
        load(session)
        grader = Grader(exam, session)
        for each in exam.assignment.checks:
            grader.ask(each)
        result = grader.check(check)
        return JudgedCheck(result, judged(exam, check, grader))


def judged(exam: Exam, check: Check, grader: Grader) -> tuple[JudgedCriterion, ...]:
    """Return the criteria of a check that was graded."""
    return tuple(_criterion(exam, check, criterion, grader) for criterion in check.criteria)


def _criterion(exam: Exam, check: Check, criterion: Criterion, grader: Grader) -> JudgedCriterion:
    settled = grader.settled[check.name]
    result = settled.results.get(criterion.name)
    if result is None:
        return JudgedCriterion(criterion, None, ())
    cases = _cases(exam, check, criterion, grader.observations)
    if settled.again is None:
        return JudgedCriterion(criterion, result, cases)
    again = _cases(exam, check, criterion, settled.again.observations)
    return JudgedCriterion(criterion, result, cases, tuple(sorted(settled.called)), again)


def _cases(
    exam: Exam, check: Check, criterion: Criterion, observations: Observations
) -> tuple[JudgedCase, ...]:
    return tuple(
        _case(criterion, question, probe, seen)
        for question in exam.questions_for(check, criterion)
        for probe in range(len(criterion.all_probes))
        if (seen := observations.seen(question, probe)) is not None
    )


def _case(criterion: Criterion, question: Question, probe: int, seen: Observation) -> JudgedCase:
    answers = question.answers[probe]
    difference, fits = None, list[str]()
    if seen.outcome is Outcome.PASSED:
        difference = closest(answers.right, seen.value, criterion.slack).difference
        fits = known_mistakes(answers, seen)
    return JudgedCase(
        question=question,
        probe=criterion.all_probes[probe],
        seen=seen,
        right=answers.right,
        difference=difference,
        fits=fits,
    )
