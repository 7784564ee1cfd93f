"""Grade one check of one submission: observe its probes, compare, and ask what a fault means for other steps.

The way of a check is `check`, `ask` (all criteria), `_criterion` (which counts, after what), `_any_probe` (one right
probe is enough), `_all_questions`, `_judge` (one answer). Why something is wrong is said by `Tutor`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE, Check, Criterion
from autograder.compare import Comparison, Difference, closest, first_right
from autograder.exam.questions import Asked
from autograder.exam.stand_ins import CallsLeft, StandIns
from autograder.explain.ended import explain_ended, is_not_started, other_step
from autograder.explain.feedback import in_a_corner
from autograder.explain.near_answers import is_rounded
from autograder.explain.recognise import recognise_mistakes
from autograder.grading.consequences import (
    better_of,
    callable_steps,
    carried_forward,
    first_to_fix,
    may_be_asked_again,
)
from autograder.grading.explaining import Explaining
from autograder.grading.observations import Observations
from autograder.grading.points import CriterionResult, check_result, earned
from autograder.grading.tutor import Tutor
from autograder.results import Observation, Outcome, Repeats
from autograder.text import one_line, without_numbers
from autograder.values.kinds import has_gradient
from autograder.values.values import ListValue

if TYPE_CHECKING:
    from autograder.exam.questions import Exam
    from autograder.grading.repetition import Repetition
    from autograder.results import CheckResult
    from autograder.sandbox.session import Session

QUOTED = 200


class Grader:
    """Grade the checks of one submission, one at a time, in a sandbox session.

    Attributes:
        explain_fully: may run more probes than the check's own to explain a wrong answer.
        judged: the results of the checks that were graded.
        criteria: for each graded check, the results of its criteria that counted.
        asked: for each check, the results of its criteria in this session.
        again: for each check that was asked again, the grader that did it: in its session, right answers stand in for
            some steps.
        stand_ins: these answers, in such a grader; `outer` is then the grader whose results it shares.
    """

    def __init__(
        self,
        exam: Exam,
        session: Session,
        *,
        alone: bool = True,
        explain_fully: bool = True,
        explaining: Explaining | None = None,
        stand_ins: StandIns | None = None,
        outer: Grader | None = None,
    ) -> None:
        self.exam = exam
        self.session = session
        self.explain_fully = explain_fully
        self.stand_ins = stand_ins
        self.criteria: dict[str, dict[str, CriterionResult]] = outer.criteria if outer else {}
        self.asked: dict[str, dict[str, CriterionResult]] = {}
        self.again: dict[str, Grader] = {}
        self.observations = Observations(session, alone=alone, hidden=not exam.public)
        self.explaining = explaining or Explaining()
        self._alone = alone
        self._checks = {check.name: check for check in exam.assignment.checks}
        self.judged: dict[str, CheckResult] = outer.judged if outer else {}
        self._calls_left = CallsLeft()
        self._with_stand_ins: dict[tuple[str, ...], Grader] = {}
        self.tutor = Tutor(
            exam, self.observations, self.explaining, self.judged, explain_fully, stand_ins
        )

    def check(self, check: Check) -> CheckResult:
        """Grade one check, or return its earlier result."""
        if check.name not in self.judged:
            found = self.ask(check)
            if self.exam.substitution is not None:
                found = self._with_right_calls(check, found)
            elif self.explain_fully:
                self._say_what_it_calls(check, found[VALUE])
            self._record(check, found)
        return self.judged[check.name]

    def _record(self, check: Check, found: dict[str, CriterionResult]) -> CheckResult:
        self.criteria[check.name] = found
        self.judged[check.name] = check_result(self.exam, check, found.values())
        return self.judged[check.name]

    def give_up(self, check: Check, seen: Observation) -> CheckResult:
        """Record that judging a check was stopped; `seen` says why."""
        value = CriterionResult(seen.outcome, explain_ended(check, None, seen))
        return self._record(check, {VALUE: value})

    def _value(self, check: Check) -> CriterionResult:
        """Return the result of a step's value criterion. Grade the step first if needed."""
        self.check(check)
        return self.criteria[check.name][VALUE]

    def _earlier(self, check: Check) -> list[Check]:
        """Return the steps before this one; without `explain_fully`, only those graded already."""
        checks = self.exam.assignment.checks
        before = checks[: checks.index(check)]
        return [step for step in before if self.explain_fully or step.name in self.judged]

    def ask(self, check: Check) -> dict[str, CriterionResult]:
        """Ask all criteria of a check that count; return the result of each."""
        found: dict[str, CriterionResult] = {}
        for criterion in check.criteria:
            value = found.get(VALUE)
            result = self._criterion(check, criterion, value)
            if result is not None:
                result.points = earned(check, criterion, value, result)
                found[criterion.name] = result
        self.asked[check.name] = found
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
        asked = remark.asked
        seen = self.observations.seen(asked.question, asked.probe) if asked else None
        text = seen.value if seen and isinstance(seen.value, str) else ""
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
            if self.session.stopped is not None or result.outcome is Outcome.TIMED_OUT:
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
        rounded = criterion.name == VALUE
        for question in self.exam.questions_for(check, criterion):
            asked = Asked(self.exam, check, criterion, question, probe)
            if repetition and not repetition.can_be_asked(asked):
                continue
            seen = self.observations.observe(question, probe)
            result = self._judge(asked, seen, repetition)
            if not result.passed:
                if question.special and result.feedback:
                    result.feedback = in_a_corner(result.feedback, question.special)
                return result
            remarks += result.remarks
            if question.graph and not result.remarks:
                remarks += self._cut_graph(asked, seen)
            printed = printed or result.printed
            rounded = rounded and is_rounded(seen.value, asked.right[0].value)
        remarks += ("rounded",) * rounded
        return CriterionResult(
            Outcome.PASSED, remarks=tuple(dict.fromkeys(remarks)), printed=printed
        )

    def _cut_graph(self, asked: Asked, seen: Observation) -> tuple[str, ...]:
        question = asked.question
        if question.reaches_inputs:
            reached = self.session.observe(question.graph_requests[asked.probe]).value
            cut = isinstance(reached, ListValue) and not set(question.graph) <= set(reached.items)
        else:
            cut = not has_gradient(seen.value)
        return ("cut_graph",) if cut else ()

    def _judge(
        self, asked: Asked, seen: Observation, repetition: Repetition | None
    ) -> CriterionResult:
        """Judge one answer, or say why there is none."""
        if seen.outcome is not Outcome.PASSED:
            self._make_wrong_answers()
            self._judge_the_step_that_stopped(asked.check, seen)
            feedback = self.tutor.no_answer(asked, seen)
            outcome = feedback.outcome if is_not_started(asked, seen.error) else seen.outcome
            return CriterionResult(outcome, feedback, printed=seen.printed, asked=asked)
        if repetition is None:
            best = closest(asked.right, seen.value, asked.criterion.slack)
        else:
            best = first_right(repetition.comparisons(asked, seen.value))
        if best.difference is not None:
            self._make_wrong_answers()
            return self._wrong(asked, seen, best.difference, repetition)
        return CriterionResult(Outcome.PASSED, remarks=_remarks(best, seen), printed=seen.printed)

    def _make_wrong_answers(self) -> None:
        """Make the known wrong answers, of which a class with right answers needs none."""
        if self.exam.unmade:
            self.explaining.once(self.exam.make_wrong_answers, self.session)

    def _judge_the_step_that_stopped(self, check: Check, seen: Observation) -> None:
        """Judge an earlier step in which this one stopped, so that its result is known to explanations."""
        inner = other_step(check.name, seen.error, self.tutor.steps) if seen.error else ""
        if inner and self._checks[inner] in self._earlier(check):
            self.check(self._checks[inner])

    def _wrong(
        self,
        asked: Asked,
        seen: Observation,
        difference: Difference,
        repetition: Repetition | None,
    ) -> CriterionResult:
        """Return the result of a wrong answer: what it repeats, and what is wrong with it."""
        check, question, probe = asked.check, asked.question, asked.probe
        kept = self.observations.observe_once(question, probe)  # no value that is too large
        result = CriterionResult(Outcome.WRONG, printed=seen.printed, asked=asked)
        if repetition is None:  # known mistakes are known for what else is right
            once = self.observations.observe_once
            result.found = recognise_mistakes(asked, kept, once)
        if asked.is_value:
            earlier = self._earlier(check)
            result.found, result.repetition = carried_forward(
                asked, earlier, self._value, kept.value, result.found
            )
        result.feedback = self.tutor.wrong_answer(
            asked, kept, difference, result, surplus=repetition is None
        )
        return result

    def _with_right_calls(
        self, check: Check, found: dict[str, CriterionResult]
    ) -> dict[str, CriterionResult]:
        """Return the results of a check's criteria, where right answers to its calls make them better."""
        if not may_be_asked_again(check, found):
            return found
        wrong = list(filter(None, map(self._faulty, callable_steps(self.exam, check))))
        if not wrong:
            return found
        grader = self._standing_in(tuple(result.step for result in wrong))
        assert grader.stand_ins is not None
        called = grader.stand_ins.called
        called.clear()
        again = grader.ask(check)
        self.again[check.name] = grader
        if not called:
            return found
        return better_of(check, found, again, first_to_fix(wrong, called))

    def _standing_in(self, steps: tuple[str, ...]) -> Grader:
        """Return the grader in whose session right answers stand in for these steps."""
        if steps not in self._with_stand_ins:
            assert self.exam.substitution is not None
            stand_ins = StandIns(self.exam.substitution, steps, self._calls_left)
            self._with_stand_ins[steps] = Grader(
                self.exam,
                self.session.standing_in(stand_ins),
                alone=self._alone,
                explaining=self.explaining,
                stand_ins=stand_ins,
                outer=self,
            )
        return self._with_stand_ins[steps]

    def _faulty(self, check: Check) -> CheckResult | None:
        """Return the result of a step with a fault of its own, or that kept its points with a remark."""
        if not (self.explain_fully or check.name in self.judged):
            return None
        result = self.check(check)
        failed = [one for one in self.criteria[check.name].values() if not one.passed]
        faulty = not all(one.called for one in failed) if failed else bool(result.remarks)
        return result if faulty else None

    def _say_what_it_calls(self, check: Check, value: CriterionResult) -> None:
        """Without a reference: name the first step that a wrong step calls and that is not right yet."""
        if value.passed or value.feedback is None or value.feedback.repeats:
            return
        question = self.exam.questions_for(check, check.criterion(VALUE))[0]
        wrong = [
            result
            for name, _ in self.tutor.calls(question)
            if (step := self._checks.get(name)) in self._earlier(check)
            and step is not None
            and (result := self._faulty(step)) is not None
        ]
        if wrong and value.feedback.other_step != wrong[0].step:
            repeats = Repeats((wrong[0].step,), 1.0, (wrong[0].outcome,))
            value.feedback = replace(value.feedback, repeats=repeats)


def _remarks(comparison: Comparison, seen: Observation) -> tuple[str, ...]:
    return comparison.remarks + (("changed_input",) if seen.changed else ())
