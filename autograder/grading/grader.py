"""Grade one check of one submission: observe its probes, compare, explain."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE, Check, Criterion
from autograder.compare import Comparison, Difference, compare
from autograder.exam.questions import Request
from autograder.explain.definitions import defined_again
from autograder.explain.ended import (
    NOT_STARTED,
    explain_ended,
    explain_error,
    explain_leftover,
    explain_missing,
    explain_misuse,
    explain_unsuitable,
    is_not_started,
    other_step,
)
from autograder.explain.feedback import explain_wrong
from autograder.explain.properties import Evidence
from autograder.explain.recognise import NOTHING, recognise_mistakes
from autograder.explain.skipped import explain_need
from autograder.explain.student_code import StudentCode, Submitted
from autograder.explain.whole_file import explain_consequence, file_problems
from autograder.grading.again import Again
from autograder.grading.asked import Asked
from autograder.grading.carry_forward import EarlierSteps, carried_forward
from autograder.grading.criterion_result import CriterionResult
from autograder.grading.documents_picture import with_documents_numbers
from autograder.grading.evidence import more_evidence
from autograder.grading.explaining import Explaining, plain_words, plain_wrong
from autograder.grading.observations import TOO_LARGE, Observations
from autograder.grading.points import check_result, earned
from autograder.grading.surplus import surplus_evidence
from autograder.grading.unused import unused_inputs
from autograder.results import Observation, Outcome, Repeats
from autograder.sandbox.inside.stand_ins import NoAnswerError
from autograder.values.kinds import has_gradient
from autograder.values.values import DictValue, ListValue

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from autograder.exam.questions import Exam, Question
    from autograder.exam.stand_ins import StandIns
    from autograder.explain.recognise import Recognition
    from autograder.grading.repetition import Repetition
    from autograder.results import CheckResult, Feedback
    from autograder.sandbox.session import Session
    from autograder.values.values import Value


class Grader:
    """Grade the checks of one submission, one at a time, in a sandbox session.

    Attributes:
        explain_fully: may run more probes than the check's own to explain a wrong answer.
        criteria: for each graded check, its criteria that counted: the result of each and its points.
    """

    def __init__(
        self,
        exam: Exam,
        session: Session,
        *,
        alone: Callable[[], AbstractContextManager[None]] = nullcontext,
        explain_fully: bool = True,
        explaining: Explaining | None = None,
        stand_ins: StandIns | None = None,
    ) -> None:
        self.exam = exam
        self.session = session
        self._explaining = explaining or Explaining()
        self.explain_fully = explain_fully
        self._steps = {check.name for check in exam.assignment.checks}
        self._alone = alone
        self._judged: dict[str, CheckResult] = {}
        self.criteria: dict[str, dict[str, tuple[CriterionResult, float]]] = {}
        self._observations = Observations(session, alone, hidden=not exam.public)
        self._code = StudentCode(session.pieces)
        self._stubs = {cell.id: cell.source for cell in exam.assignment.cells}
        self._stand_ins = stand_ins
        self.again = Again(exam, session, self._with_stand_ins)

    def check(self, check: Check) -> CheckResult:
        """Grade one check, or return its earlier result."""
        if check.name not in self._judged:
            self._judged[check.name] = self._check(check)
        return self._judged[check.name]

    def give_up(self, check: Check, seen: Observation) -> CheckResult:
        """Record that judging a check was stopped; `seen` says why."""
        value = CriterionResult(seen.outcome, explain_ended(check, None, seen))
        self.criteria[check.name] = {VALUE: (value, 0.0)}
        self._judged[check.name] = check_result(self.exam, check, 0.0, [value])
        return self._judged[check.name]

    def has_judged(self, check: Check) -> bool:
        """Return whether this check was graded already."""
        return check.name in self._judged

    def value(self, check: Check) -> CriterionResult:
        """Return the result of a step's value criterion. Grade the step first if needed."""
        self.check(check)
        return self.criteria[check.name][VALUE][0]

    def seen(self, question: Question, probe: int) -> Observation | None:
        """Return what a probe saw; None if it did not run."""
        return self._observations.seen(question, probe)

    @property
    def _submitted(self) -> Submitted:
        loaded = self.session.loaded
        stubs = {name: self._stubs.get(name, "") for name in self._steps}
        return Submitted(self._code, stubs, loaded.names if loaded else ())

    def file_problems(self) -> tuple[Feedback, ...]:
        """Explain what is wrong with the file as a whole."""
        explain = partial(file_problems, self.session.loaded, self._steps, self._code)
        return self._explaining.words(explain, ())

    def definitions_note(self) -> str:
        """Say which of the graded steps lost points and are defined more than once; empty if none."""
        lost = [result.step for result in self._judged.values() if result.score < result.max_score]
        notes = (
            self._explaining.words(partial(defined_again, name, self._code), "") for name in lost
        )
        return " ".join(filter(None, notes))

    def _check(self, check: Check) -> CheckResult:
        found = self.ask(check)
        if self.exam.substitution is not None:
            found = self.again.better(check, found, self._faulty)
        elif self.explain_fully:
            self._say_what_it_calls(check, found[VALUE][0])
        self.criteria[check.name] = found
        score = sum(points for _, points in found.values())
        return check_result(self.exam, check, score, [result for result, _ in found.values()])

    def _with_stand_ins(self, session: Session, stand_ins: StandIns) -> Grader:
        """Return a grader of the same submission in a session with stand-ins."""
        other = Grader(
            self.exam,
            session,
            alone=self._alone,
            explaining=self._explaining,
            stand_ins=stand_ins,
        )
        other._judged, other.criteria = self._judged, self.criteria
        return other

    def _faulty(self, check: Check) -> CheckResult | None:
        """Return the result of a step with a fault of its own, or that kept its points with a remark."""
        if not (self.explain_fully or self.has_judged(check)):
            return None
        result = self.check(check)
        results = [one for one, _ in self.criteria[check.name].values()]
        failed = [one for one in results if one.outcome is not Outcome.PASSED]
        faulty = not all(one.called for one in failed) if failed else bool(result.remarks)
        return result if faulty else None

    def _say_what_it_calls(self, check: Check, value: CriterionResult) -> None:
        """Without a reference: name the first step that a wrong step calls and that is not right yet."""
        if value.outcome is Outcome.PASSED or value.feedback is None or value.feedback.repeats:
            return
        question = self.exam.questions_for(check, check.criterion(VALUE))[0]
        wrong = [
            result
            for name, _ in self._calls(question)
            if (step := self._named(name)) in self._earlier(check).steps
            and (result := self._faulty(step)) is not None
        ]
        if wrong and value.feedback.other_step != wrong[0].step:
            repeats = Repeats((wrong[0].step,), 1.0, (wrong[0].outcome,))
            value.feedback = replace(value.feedback, repeats=repeats)

    def _calls(self, question: Question) -> list[tuple[str, Value]]:
        """Return the steps that a step calls, in order, each with the arguments of its last call."""
        request = Request("calls", question.step, question.criterion, 0, question.inputs)
        value = self.session.observe(request).value
        calls = value.items if isinstance(value, ListValue) else ()
        return [
            (call.items[0], call.items[1])
            for call in calls
            if isinstance(call, ListValue) and isinstance(call.items[0], str)
        ]

    def _named(self, step: str) -> Check:
        return next(check for check in self.exam.assignment.checks if check.name == step)

    def ask(self, check: Check) -> dict[str, tuple[CriterionResult, float]]:
        """Ask all criteria of a check that count; return the result of each and its points."""
        found: dict[str, tuple[CriterionResult, float]] = {}
        for criterion in check.criteria:
            value = found[VALUE][0] if found else None
            result = self._ask(check, criterion, value)
            if result is not None:
                found[criterion.name] = result, earned(check, criterion, value, result)
        return found

    def _ask(
        self, check: Check, criterion: Criterion, value: CriterionResult | None
    ) -> CriterionResult | None:
        """Return the result of a criterion; None if it does not count where the value is wrong."""
        if value is not None and value.outcome is not Outcome.PASSED:
            if criterion.alone and criterion.fallback:
                return self._probe(check, criterion, len(criterion.probes))
            if not criterion.alone and (value.repetition is None or criterion.remark):
                return None
            return self._criterion(check, criterion, value.repetition)
        result = self._criterion(check, criterion)
        if result.outcome is Outcome.WRONG and criterion.fallback:
            explained = self._probe(check, criterion, len(criterion.probes))
            return explained if explained.outcome is Outcome.WRONG else result
        if criterion.remark and result.outcome is not Outcome.PASSED:
            return CriterionResult(Outcome.PASSED, remarks=(criterion.name,))
        return result

    def _criterion(
        self, check: Check, criterion: Criterion, repetition: Repetition | None = None
    ) -> CriterionResult:
        """Ask all questions of a criterion. One probe that is right on all of them is enough.

        After a repeated mistake in the value, right is what the reference answers with it.
        """
        first: CriterionResult | None = None
        for number in range(len(criterion.probes)):
            result = self._probe(check, criterion, number, repetition)
            if result.outcome is Outcome.PASSED:
                return result
            first = first or result
            # Code that hangs would hang in the next probe too, for the same time.
            if self.session.stopped is not None or result.outcome is Outcome.TIMED_OUT:
                break
        assert first is not None
        return first

    def _probe(
        self,
        check: Check,
        criterion: Criterion,
        number: int,
        repetition: Repetition | None = None,
    ) -> CriterionResult:
        remarks: tuple[str, ...] = ()
        printed = ""
        for question in self.exam.questions_for(check, criterion):
            if repetition and not repetition.can_be_asked(criterion, question, number):
                continue
            seen = self._observations.observe(question, number)
            asked = Asked(check, criterion, question, number)
            result = self._judge(asked, seen, repetition)
            if result.outcome is not Outcome.PASSED:
                return result
            remarks += result.remarks
            if question.graph and not result.remarks:
                remarks += self._cut_graph(question, number, seen.value)
            printed = printed or result.printed
        return CriterionResult(
            Outcome.PASSED, remarks=tuple(dict.fromkeys(remarks)), printed=printed
        )

    def _cut_graph(self, question: Question, probe: int, seen: Value) -> tuple[str, ...]:
        if question.reaches_inputs:
            reached = self.session.observe(question.graph_requests[probe]).value
            cut = isinstance(reached, ListValue) and not set(question.graph) <= set(reached.items)
        else:
            cut = not has_gradient(seen)
        return ("cut_graph",) if cut else ()

    def _judge(
        self, asked: Asked, seen: Observation, repetition: Repetition | None
    ) -> CriterionResult:
        if seen.outcome is Outcome.PASSED:
            return self._compare(asked, seen, repetition)
        not_started = seen.error is not None and is_not_started(asked.check.name, seen.error)
        self._judge_the_step_that_stopped(asked.check, seen)
        facts = NOT_STARTED if not_started else plain_words(asked.check.name, seen.outcome)
        feedback = self._explaining.words(partial(self._unusable, asked, seen), facts)
        outcome = feedback.outcome if not_started else seen.outcome
        return CriterionResult(outcome, feedback, printed=seen.printed)

    def _unusable(self, asked: Asked, seen: Observation) -> Feedback:
        """Explain why there is no answer to compare."""
        need = explain_need(asked.check.name, seen.outcome, self.session.loaded, self._code)
        if need is not None:
            return need
        check, question = asked.check, asked.question
        match seen.outcome:
            case Outcome.MISSING:
                return explain_missing(check, self.session.loaded, self._submitted)
            case Outcome.WRONG:
                return explain_unsuitable(check, question, seen, self._submitted)
            case Outcome.RAISED:
                assert seen.error is not None
                if is_not_started(check.name, seen.error):
                    return explain_leftover(check, seen.error, self._submitted)
                consequence = explain_consequence(check, seen.error, self.session.loaded)
                return (
                    consequence
                    or self._misused(asked, seen)
                    or explain_error(check, question, seen, self._submitted)
                )
            case _:
                loading = self.session.stopped is not None
                return explain_ended(check, None if loading else question, seen)

    def _judge_the_step_that_stopped(self, check: Check, seen: Observation) -> None:
        """Judge an earlier step in which this one stopped, so that its result is known to explanations."""
        inner = other_step(check, seen.error, self._steps) if seen.error else ""
        if inner and self._named(inner) in self._earlier(check).steps:
            self.check(self._named(inner))

    def _misused(self, asked: Asked, seen: Observation) -> Feedback | None:
        """Explain a call of a step that is right, with arguments that it does not take; None if it is no such call."""
        assert seen.error is not None
        refused = self._stand_ins.refused if self._stand_ins else None
        if refused is not None and seen.error.type == NoAnswerError.__name__:
            return explain_misuse(self.exam, asked.check, seen.error, *refused, right=False)
        step = other_step(asked.check, seen.error, self._steps)
        result = self._judged.get(step)
        if result is None or result.score < result.max_score or result.remarks:
            return None
        given = dict(self._calls(asked.question)).get(step)
        entries = given.items if isinstance(given, DictValue) else ()
        inputs = {str(name): value for name, value in entries}
        return explain_misuse(self.exam, asked.check, seen.error, step, inputs, right=True)

    def _compare(
        self, asked: Asked, seen: Observation, repetition: Repetition | None
    ) -> CriterionResult:
        if repetition is None:
            slack = asked.criterion.slack
            comparisons = [compare(answer, seen.value, slack) for answer in asked.right]
        else:
            comparisons = repetition.comparisons(asked, seen.value)
        best = min(comparisons, key=lambda comparison: comparison.difference is not None)
        if best.difference is None:
            return CriterionResult(
                Outcome.PASSED, remarks=_remarks(best, seen), printed=seen.printed
            )
        return self._wrong(asked, seen, best.difference, repetition)

    def _wrong(
        self,
        asked: Asked,
        seen: Observation,
        difference: Difference,
        repetition: Repetition | None,
    ) -> CriterionResult:
        """Return the result of a wrong answer: what it repeats, and what is wrong with it."""
        check, question, probe = asked.check, asked.question, asked.probe
        kept = self._observations.observe_once(question, probe)  # no value that is too large
        found = NOTHING  # known mistakes are known for what else is right
        if repetition is None:
            once = self._observations.observe_once
            found = recognise_mistakes(self.exam, check, question, probe, kept, once)
        repeats: Repetition | None = None
        if asked.is_value:
            found, repeats = carried_forward(self._earlier(check), kept.value, found)
        result = CriterionResult(
            Outcome.WRONG, printed=seen.printed, repetition=repeats, found=found
        )
        surplus = repetition is None and not found.alternatives
        explain = partial(self._explained, asked, kept, seen, difference, result, surplus=surplus)
        facts = plain_wrong(check, question.criterion, difference, found)
        result.feedback = self._explaining.words(explain, facts, ask=self.session)
        return result

    def _explained(
        self,
        asked: Asked,
        kept: Observation,
        seen: Observation,
        difference: Difference,
        result: CriterionResult,
        *,
        surplus: bool,
    ) -> Feedback:
        """Explain a wrong answer. For that, the step may be run on further inputs."""
        check, question, probe, found = asked.check, asked.question, asked.probe, result.found
        need = explain_need(check.name, Outcome.WRONG, self.session.loaded, self._code)
        if need is not None:
            return need
        evidence = self._evidence(asked, kept, seen, found)
        if surplus:
            more = surplus_evidence(self.exam, asked, kept, self._observations)
            evidence = replace(evidence, **more)
        feedback = explain_wrong(
            self.exam,
            check,
            question,
            difference,
            found,
            evidence,
            result.repeats,
            submitted=self._submitted,
        )
        if not self.explain_fully:
            return feedback
        return with_documents_numbers(
            feedback, self.exam, check, question, self._observations, probe
        )

    def _evidence(
        self, asked: Asked, kept: Observation, seen: Observation, found: Recognition
    ) -> Evidence:
        """Return what an explanation rests on; no more than that is asked if one mistake explains all."""
        check, question, probe = asked.check, asked.question, asked.probe
        right = asked.right[0].value
        evidence = Evidence(kept.value, right, changed=seen.changed, returns=check.returns)
        single = found.sure and all(len(alternative) == 1 for alternative in found.alternatives)
        if not asked.is_value or single or not self.explain_fully or kept.value is TOO_LARGE:
            return evidence
        more = more_evidence(self.exam, check, question, probe, self._observations)
        return replace(evidence, **more, unused=unused_inputs(question, probe, kept, self.session))

    def _earlier(self, check: Check) -> EarlierSteps:
        """Return the steps before this one; without `explain_fully`, only those graded already."""
        checks = self.exam.assignment.checks
        before = checks[: checks.index(check)]
        steps = [earlier for earlier in before if self.explain_fully or self.has_judged(earlier)]
        return EarlierSteps(self.exam, steps, self.value)


def _remarks(comparison: Comparison, seen: Observation) -> tuple[str, ...]:
    return comparison.remarks + (("changed_input",) if seen.changed else ())
