"""Judge the answers of one session: which criteria count, and which of them are right. Nothing is explained here.

The way of a check is `ask` (all criteria), `_criterion` (which counts, after what), `_any_probe` (one right probe is
enough), `_all_questions`, `_judge` (one answer).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.compare import closest, first_right
from autograder.exam.questions import Asked
from autograder.grading.points import CriterionResult, earned
from autograder.grading.repetition import repetition_of
from autograder.results import Outcome
from autograder.text import one_line, without_numbers
from autograder.values.values import ListValue

if TYPE_CHECKING:
    from autograder.assignment.checks import Check, Criterion
    from autograder.compare import Comparison
    from autograder.exam.questions import Exam
    from autograder.exam.recognise import Once
    from autograder.exam.stand_ins import StandIns
    from autograder.grading.observations import Observations
    from autograder.grading.repetition import Repetition
    from autograder.results import Observation, StudentError

QUOTED = 200


class Judge:
    """Judges the checks of one submission in one session.

    Args:
        once: does what is done once for all submissions, and costs this one nothing.
        stand_ins: what answers calls in the session, if anything does.
    """

    def __init__(
        self,
        exam: Exam,
        observations: Observations,
        once: Once,
        stand_ins: StandIns | None = None,
    ) -> None:
        self.exam = exam
        self.observations = observations
        self._once, self._stand_ins = once, stand_ins

    def ask(self, check: Check) -> dict[str, CriterionResult]:
        """Ask all criteria of a check that count; return the result of each."""
        found: dict[str, CriterionResult] = {}
        for criterion in check.criteria:
            value = found.get(VALUE)
            result = self._criterion(check, criterion, value)
            if result is not None:
                result.points = earned(criterion, value, result)
                found[criterion.name] = result
        return found

    def _criterion(
        self, check: Check, criterion: Criterion, value: CriterionResult | None
    ) -> CriterionResult | None:
        """Return the result of a criterion; None if it does not count where the value is wrong."""
        fallback = len(criterion.probes)
        if value is not None and not value.passed:
            if criterion.alone and criterion.fallback:
                return self._all_questions(check, criterion, fallback)
            if not criterion.alone and (value.repetition is None or criterion.remark):
                return None
            return self._any_probe(check, criterion, value.repetition)
        result = self._any_probe(check, criterion)
        if result.outcome is Outcome.WRONG and criterion.fallback:
            explained = self._all_questions(check, criterion, fallback)
            return explained if explained.outcome is Outcome.WRONG else result
        if criterion.remark and not result.passed:
            return CriterionResult(
                Outcome.PASSED, remarks=(criterion.name,), quoted=self._quoted(result)
            )
        return result

    def _quoted(self, remark: CriterionResult) -> str:
        """Return the text that the probe of a remark returned; empty if it is none."""
        text = remark.seen.value if remark.seen and isinstance(remark.seen.value, str) else ""
        return one_line(text if self.exam.public else without_numbers(text), QUOTED)

    def _any_probe(
        self, check: Check, criterion: Criterion, repetition: Repetition | None = None
    ) -> CriterionResult:
        """Ask all questions of a criterion. One probe that is right on all of them is enough.

        After a repeated mistake in the value, right is what the reference answers with it.
        """
        first: CriterionResult | None = None
        for probe in range(len(criterion.probes)):
            result = self._all_questions(check, criterion, probe, repetition)
            if result.passed:
                return result
            first = first or result
            # Code that hangs would hang in the next probe too, for the same time.
            stopped = self.observations.session.stopped is not None
            if stopped or result.outcome is Outcome.TIMED_OUT:
                break
        assert first is not None
        return first

    def _all_questions(
        self,
        check: Check,
        criterion: Criterion,
        probe: int,
        repetition: Repetition | None = None,
    ) -> CriterionResult:
        """Ask one probe all questions, up to the first wrong answer."""
        remarks: tuple[str, ...] = ()
        printed = ""
        for question in self.exam.questions_for(check, criterion):
            asked = Asked(self.exam, check, criterion, question, probe)
            seen = self.observations.observe(question, probe)
            result = self._judge(asked, seen, repetition)
            if not result.passed:
                return result
            remarks += result.remarks
            if question.graph and not result.remarks:
                remarks += self._cut_graph(asked)
            printed = printed or result.printed
        return CriterionResult(
            Outcome.PASSED, remarks=tuple(dict.fromkeys(remarks)), printed=printed
        )

    def _cut_graph(self, asked: Asked) -> tuple[str, ...]:
        question = asked.question
        reached = self.observations.ask(question.graph_requests[asked.probe]).value
        cut = isinstance(reached, ListValue) and not set(question.graph) <= set(reached.items)
        return ("cut_graph",) if cut else ()

    def _judge(
        self, asked: Asked, seen: Observation, repetition: Repetition | None
    ) -> CriterionResult:
        """Judge one answer."""
        if seen.outcome is not Outcome.PASSED:
            started = not is_not_started(asked, seen.error)
            outcome = seen.outcome if started else Outcome.NOT_STARTED
            result = CriterionResult(outcome, printed=seen.printed, asked=asked, seen=seen)
            result.refused = self._stand_ins.refused if self._stand_ins else None
            return result
        if repetition is None:
            best = closest(asked.right, seen.value, asked.criterion.slack)
        elif comparisons := repetition.comparisons(asked, seen.value):
            best = first_right(comparisons)
        else:  # the reference cannot answer with the mistake: there is nothing right here
            return CriterionResult(Outcome.WRONG, printed=seen.printed)
        if best.difference is None:
            return CriterionResult(
                Outcome.PASSED, remarks=_remarks(best, seen), printed=seen.printed
            )
        self._once(partial(self.exam.make_wrong_answers, asked.check.name))
        kept = self.observations.observe_once(asked.question, asked.probe)
        result = CriterionResult(
            Outcome.WRONG,
            printed=seen.printed,
            asked=asked,
            seen=kept,
            difference=best.difference,
            given_mistake=repetition,
        )
        ask = self.observations.observe_once
        result.repetition = repetition_of(asked, kept, ask, self._once)
        return result


def is_not_started(asked: Asked, error: StudentError | None) -> bool:
    """Return whether the step's own stub raised the exception.

    Where an exception is asked for, the step's value is right, so the step was started.
    """
    if error is None or asked.criterion.raises:
        return False
    return error.is_of_a_stub and error.inner_function == asked.check.name


def _remarks(comparison: Comparison, seen: Observation) -> tuple[str, ...]:
    return comparison.remarks + (("changed_input",) if seen.changed else ())
