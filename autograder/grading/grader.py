"""Grade one check of one submission: observe its probes, compare, explain."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.assignment.checks import DOCUMENTED, VALUE, Check, Criterion
from autograder.compare import Comparison, compare
from autograder.explain.ended import (
    NOT_STARTED,
    explain_ended,
    explain_error,
    explain_missing,
    explain_unsuitable,
    is_not_started,
)
from autograder.explain.feedback import explain_wrong, remark_text, summed_up
from autograder.explain.properties import Evidence
from autograder.explain.recognise import name_mistakes
from autograder.grading.carry_forward import EarlierSteps, carried_forward
from autograder.grading.criterion_result import CriterionResult
from autograder.grading.observations import Observations
from autograder.results import CheckResult, Observation, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from autograder.exam.questions import Exam, Question
    from autograder.sandbox.session import Session


class Grader:
    """Grade the checks of one submission, one at a time, in a sandbox session.

    Attributes:
        curious: may run more probes than the check's own to explain a wrong answer.
    """

    def __init__(
        self,
        exam: Exam,
        session: Session,
        *,
        alone: Callable[[], AbstractContextManager[None]] = nullcontext,
        curious: bool = True,
    ) -> None:
        self.exam = exam
        self.session = session
        self.curious = curious
        self._steps = {check.name for check in exam.assignment.checks}
        self._judged: dict[str, CheckResult] = {}
        self._values: dict[str, CriterionResult] = {}
        self._observations = Observations(session, alone)

    def check(self, check: Check) -> CheckResult:
        """Grade one check, or return its earlier result."""
        if check.name not in self._judged:
            self._judged[check.name] = self._check(check)
        return self._judged[check.name]

    def has_judged(self, check: Check) -> bool:
        """Whether this check was graded already."""
        return check.name in self._judged

    def value(self, check: Check) -> CriterionResult:
        """Return the result of a step's value criterion. Grade the step first if needed."""
        self.check(check)
        return self._values[check.name]

    def _check(self, check: Check) -> CheckResult:
        self.session.expect(self.exam.plan(check))
        results: dict[str, CriterionResult] = {}
        score = 0.0
        for criterion in check.criteria:
            value = results.get(VALUE)
            if value is not None and value.outcome is not Outcome.PASSED and not criterion.alone:
                score += self._spared(check, criterion, value)
                continue
            result = self._criterion(check, criterion)
            if criterion.remark and result.outcome is not Outcome.PASSED:
                result = CriterionResult(Outcome.PASSED, remarks=(criterion.name,))
            results[criterion.name] = result
            if result.outcome is Outcome.PASSED:
                score += criterion.points
            elif criterion.name == VALUE:
                score += self._spared(check, criterion, result)
        self._values[check.name] = results[VALUE]
        return self._sum_up(check, score, list(results.values()))

    @staticmethod
    def _spared(check: Check, criterion: Criterion, value: CriterionResult) -> float:
        """Return the points that a criterion keeps if its mistake already cost points in a step."""
        return (1 - check.carried) * criterion.points if value.repeats else 0.0

    def _sum_up(self, check: Check, score: float, results: list[CriterionResult]) -> CheckResult:
        failed = [result for result in results if result.outcome is not Outcome.PASSED]
        first = failed[0] if failed else results[0]
        remarks = tuple(dict.fromkeys(name for result in results for name in result.remarks))
        criteria = [result.feedback for result in failed if result.feedback is not None]
        named = [one for one in criteria if one.mistakes]
        return CheckResult(
            step=check.name,
            score=score,
            max_score=check.points,
            outcome=first.outcome,
            feedback=summed_up(criteria, [remark_text(self.exam, name) for name in remarks]),
            mistakes=tuple(dict.fromkeys(name for one in named for name in one.mistakes)),
            sure=bool(named) and all(one.sure for one in named),
            remarks=remarks,
            carried_forward=next((step for one in failed for step in one.repeats), None),
            printed=first.printed,
        )

    def _criterion(self, check: Check, criterion: Criterion) -> CriterionResult:
        """Ask all questions of a criterion. One probe that is right on all of them is enough."""
        first: CriterionResult | None = None
        for number in range(len(criterion.probes)):
            result = self._probe(check, criterion, number)
            if result.outcome is Outcome.PASSED:
                return result
            first = first or result
            # Code that hangs would hang in the next probe too, for the same time.
            if self.session.stopped is not None or result.outcome is Outcome.TIMED_OUT:
                break
        assert first is not None
        return first

    def _probe(self, check: Check, criterion: Criterion, number: int) -> CriterionResult:
        remarks: tuple[str, ...] = ()
        printed = ""
        for question in self.exam.about(check, criterion):
            seen = self._observations.observe(question, number)
            result = self._judge(check, criterion, question, number, seen)
            if result.outcome is not Outcome.PASSED:
                return result
            remarks += result.remarks
            if question.graph and not result.remarks:
                remarks += self._cut_graph(question, number)
            printed = printed or result.printed
        return CriterionResult(
            Outcome.PASSED, remarks=tuple(dict.fromkeys(remarks)), printed=printed
        )

    def _cut_graph(self, question: Question, probe: int) -> tuple[str, ...]:
        reached = self.session.gradient_reach(question.graph_requests[probe])
        cut = reached is not None and not set(question.graph) <= set(reached)
        return ("cut_graph",) if cut else ()

    def _judge(
        self, check: Check, criterion: Criterion, question: Question, probe: int, seen: Observation
    ) -> CriterionResult:
        if seen.outcome is Outcome.PASSED:
            return self._compare(check, criterion, question, probe, seen)
        match seen.outcome:
            case Outcome.MISSING:
                feedback = explain_missing(check, self.session.loaded, self._steps)
            case Outcome.WRONG:
                feedback = explain_unsuitable(check, seen)
            case Outcome.RAISED:
                assert seen.error is not None
                if is_not_started(check.name, seen.error):
                    return CriterionResult(Outcome.NOT_STARTED, NOT_STARTED, printed=seen.printed)
                feedback = explain_error(check, question, seen, self._steps, self.session.loaded)
            case _:
                loading = self.session.stopped is not None
                feedback = explain_ended(check, None if loading else question, seen)
        return CriterionResult(seen.outcome, feedback, printed=seen.printed)

    def _compare(
        self, check: Check, criterion: Criterion, question: Question, probe: int, seen: Observation
    ) -> CriterionResult:
        right = question.answers[probe].right
        comparisons = [compare(one, seen.value, criterion.slack) for one in right]
        best = next((one for one in comparisons if one.difference is None), comparisons[0])
        if best.difference is None:
            return CriterionResult(
                Outcome.PASSED, remarks=_remarks(best, seen), printed=seen.printed
            )
        found = name_mistakes(self.exam, check, question, probe, seen, self._observations.ask_again)
        repeats: tuple[str, ...] = ()
        if criterion.name == VALUE:
            found, repeats = carried_forward(self._earlier(check), check, probe, seen.value, found)
        evidence = Evidence(seen.value, right[0].value, changed=bool(seen.changed))
        if criterion.name == VALUE and not found.alternatives and self.curious:
            evidence = self._evidence(check, question, probe, evidence)
        feedback = explain_wrong(
            self.exam, check, question, best.difference, found, evidence, repeats
        )
        return CriterionResult(
            Outcome.WRONG, feedback, printed=seen.printed, repeats=repeats, found=found
        )

    def _earlier(self, check: Check) -> EarlierSteps:
        """Return the steps before this one; without `curious`, only those graded already."""
        checks = self.exam.assignment.checks
        before = checks[: checks.index(check)]
        steps = [one for one in before if self.curious or self.has_judged(one)]
        return EarlierSteps(self.exam, steps, self.value, self._observations)

    def _evidence(
        self, check: Check, question: Question, probe: int, evidence: Evidence
    ) -> Evidence:
        """Add the step's answers to the other drawn inputs and to the documents' own inputs."""
        about = self.exam.about(check, check.criterion(VALUE))
        others = tuple(
            self._observations.ask_again(one, probe).value for one in about if one is not question
        )
        documented = next((one for one in check.criteria if one.name == DOCUMENTED), None)
        if documented is None or documented.probes != check.criterion(VALUE).probes:
            return replace(evidence, others=others)
        fits = []
        for one in self.exam.about(check, documented):
            seen, right = self._observations.ask_again(one, probe), one.answers[probe].right
            fits.append(any(compare(answer, seen.value).difference is None for answer in right))
        rights = tuple(
            right.value
            for one in self.exam.about(check, documented)
            for right in one.answers[probe].right
        )
        return replace(evidence, others=others, right_on_documents=all(fits), documents=rights)


def _remarks(comparison: Comparison, seen: Observation) -> tuple[str, ...]:
    return comparison.remarks + (("changed_input",) if seen.changed else ())
