"""Grade the checks of one submission: settle their points, then explain what is wrong.

First all steps are asked as they are. Then each step that may call a step which is not right is asked again, in a new
worker in which right answers stand in for these; what it answers there counts. Only then is anything explained.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.assignment.libraries import may_import
from autograder.compare import agrees
from autograder.exam.recognise import NOTHING, effect
from autograder.exam.stand_ins import CallsLeft, StandIns
from autograder.explain.feedback import in_a_corner, remark_text, summed_up
from autograder.explain.whole_file import module_lacked
from autograder.grading.budget import Budget
from autograder.grading.consequences import callable_steps, first_to_fix, repeated_steps
from autograder.grading.explaining import Explaining
from autograder.grading.judge import Judge
from autograder.grading.observations import Observations
from autograder.grading.points import DEBUGGER, CriterionResult, check_result, remarked
from autograder.grading.tutor import Tutor
from autograder.reasons import Reason
from autograder.results import Feedback, Observation, Outcome, Repeats

if TYPE_CHECKING:
    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam
    from autograder.exam.recognise import Recognition
    from autograder.results import Block, CheckResult
    from autograder.sandbox.session import Session

    Results = dict[str, CriterionResult]

# A package after `from` or `import`, or in quotes in a call that imports.
_IMPORTED = re.compile(
    r"(?:^[ \t]*(?:from(?=.+\bimport\b)|import)[ \t]+|(?:import_module|__import__)\(.)(\w+)",
    re.MULTILINE,
)
_NOTHING_TO_ASK = (Outcome.NOT_STARTED, Outcome.MISSING)


@dataclass
class _Asking:
    """How steps are asked in one session: as they are, or with stand-ins for some."""

    observations: Observations
    judge: Judge
    tutor: Tutor
    stand_ins: StandIns | None = None


@dataclass(frozen=True)
class Settled:
    """A check whose points are settled.

    Attributes:
        results: for each criterion that counts, its result.
        called: the steps with a stand-in that it called.
        again: how it was asked with right answers for their calls, if it was.
    """

    results: Results
    called: frozenset[str] = frozenset()
    again: _Asking | None = None

    @property
    def is_faulty(self) -> bool:
        """Whether the step has a fault of its own, or kept its points with a remark."""
        failed = [one for one in self.results.values() if not one.passed]
        if failed:
            return not all(one.called for one in failed)
        return any(one.remarks for one in self.results.values())

    @property
    def misleads(self) -> bool:
        """Whether its answers are wrong, or it changes its input, so that a step which calls it cannot be right."""
        changes = any("changed_input" in one.remarks for one in self.results.values())
        return changes or (VALUE in self.results and not self.results[VALUE].passed)

    @property
    def is_right(self) -> bool:
        """Whether the step is right, without a remark."""
        return all(one.passed and not one.remarks for one in self.results.values())


class Grader:
    """Grade the checks of one submission in a sandbox session.

    Attributes:
        explain_fully: may run more probes than the check's own to explain a wrong answer, and other checks.
        settled: the checks whose points are known.
        judged: the results of the checks that were explained, too.

    Args:
        budget: what is done once for all submissions costs it nothing.
    """

    def __init__(
        self,
        exam: Exam,
        session: Session,
        *,
        alone: bool = True,
        explain_fully: bool = True,
        explaining: Explaining | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.exam = exam
        self.session = session
        self.explain_fully = explain_fully
        self.explaining = explaining or Explaining()
        self.settled: dict[str, Settled] = {}
        self.judged: dict[str, CheckResult] = {}
        self._alone, self._budget = alone, budget or Budget()
        self._checks = exam.assignment.by_step
        self._calls_left = CallsLeft()
        self._asked: dict[str, Results] = {}
        self._found: dict[str, Recognition] = {}
        self._with_stand_ins: dict[tuple[str, ...], _Asking] = {}
        self._tracing: dict[tuple[str, ...], Session] = {}
        self._open: Session = session
        self._plain = self._asking(session)

    @property
    def observations(self) -> Observations:
        """The answers of the student's own steps."""
        return self._plain.observations

    def _asking(self, session: Session, stand_ins: StandIns | None = None) -> _Asking:
        hidden = not self.exam.public
        answers = stand_ins is not None
        seen = Observations(session, alone=self._alone, hidden=hidden, answers=answers)
        traced = partial(self._traced, stand_ins)
        judge = Judge(self.exam, seen, self._budget.beside, stand_ins)
        judge_of = partial(Judge, self.exam, once=self._budget.beside)
        tutor = Tutor(
            self.exam, seen, self.explaining, self._is_right, self._calls_wrong, traced, judge_of
        )
        return _Asking(seen, judge, tutor, stand_ins)

    def check(self, check: Check) -> CheckResult:
        """Settle and explain one check, or return its earlier result."""
        if check.name not in self.judged:
            self.settle(check)
            self.judged[check.name] = self._explained(check)
        return self.judged[check.name]

    def about_the_file(self) -> tuple[Block, ...]:
        """Say what is wrong with the file as a whole, after its checks."""
        return self._plain.tutor.about_the_file(self.judged.values())

    # Points.

    def ask(self, check: Check) -> None:
        """Ask a check, as the student wrote the steps.

        A step that may call one that did not end is not asked: it would not end either.
        """
        if check.name in self._asked:
            return
        if any(_has_hung(self._asked.get(step.name, {})) for step in self._callable(check)):
            self._asked[check.name] = {}
            self.session.leave_out(check.name)
        else:
            self._asked[check.name] = self._plain.judge.ask(check)

    def settle(self, check: Check) -> None:
        """Settle the points of a check, after those of the steps that it may call."""
        if check.name in self.settled:
            return
        callable_by_it = self._callable(check)
        for step in (*callable_by_it, check):
            self.ask(step)
        for step in callable_by_it:
            self.settle(step)
        wrong = tuple(step.name for step in callable_by_it if self.settled[step.name].is_faulty)
        found = self._asked[check.name]
        ends = found and found[VALUE].outcome in _NOTHING_TO_ASK
        if wrong and not ends:
            self.settled[check.name] = self._asked_again(check, found, wrong)
        else:
            self.settled[check.name] = Settled(found)

    def give_up(self, check: Check, seen: Observation) -> None:
        """Settle a check whose answers cannot be judged; `seen` says why."""
        self._open.close()  # perhaps it was stopped between a request and its answer
        value = CriterionResult(seen.outcome, seen=seen)
        self._asked.setdefault(check.name, {VALUE: value})
        self.settled[check.name] = Settled({VALUE: value})

    def _callable(self, check: Check) -> list[Check]:
        """Return the steps that a check may call; none if no right ones can stand in for them."""
        if self.exam.substitution is None:
            return []
        return [
            step
            for step in callable_steps(self.exam, check)
            if step.name in self._mentioned and (self.explain_fully or step.name in self.settled)
        ]

    @cached_property
    def _mentioned(self) -> set[str]:
        """The steps whose names stand anywhere but in their own definitions: nothing calls the others."""
        return self._checks.keys() & set(re.findall(r"(?:def|class) \w+|\w+", self._text))

    @cached_property
    def _text(self) -> str:
        return "\n".join(text for _, text in self.session.pieces)

    def _asked_again(self, check: Check, found: Results, wrong: tuple[str, ...]) -> Settled:
        """Ask a check with right answers for the calls of these steps."""
        asking = self._standing_in(wrong)
        assert asking.stand_ins is not None
        asking.stand_ins.called.clear()
        again = asking.judge.ask(check)
        called = frozenset(asking.stand_ins.called | asking.stand_ins.called_while_loading)
        if not called and found:
            return Settled(found)
        if not found:  # it was not asked, since a step that it may call did not end
            hung = CriterionResult(Outcome.TIMED_OUT)
            found = dict.fromkeys(again, hung) if called else {}
        results = _merged(check, found, again, tuple(sorted(called)))
        return Settled(results, called, asking)

    def _standing_in(self, steps: tuple[str, ...]) -> _Asking:
        """Return how to ask where right answers stand in for these steps.

        No other worker of the submission runs at the same time: it could tell this one what to answer.
        """
        asking = self._with_stand_ins.get(steps)
        if asking is None or asking.observations.session is not self._open:
            self._open.close()
        if asking is None:
            assert self.exam.substitution is not None
            stand_ins = StandIns(self.exam.substitution, steps, self._calls_left)
            asking = self._asking(self.session.standing_in(stand_ins), stand_ins)
            self._with_stand_ins[steps] = asking
        self._open = asking.observations.session
        return asking

    # Words.

    def _traced(self, stand_ins: StandIns | None) -> Session:
        """Return the session that is asked what expressions compute, without or with these stand-ins."""
        steps = tuple(stand_ins.parameters) if stand_ins else ()
        if steps not in self._tracing:
            again = stand_ins and stand_ins.again()
            self._tracing[steps] = self.session.standing_in(again, traced=True)
        return self._tracing[steps]

    def _is_right(self, step: str, before: str) -> bool:
        """Return whether an earlier step is right, without a remark; it is judged first if need be."""
        check = self._checks.get(step)
        if check is None or check not in self._earlier(self._checks[before]):
            return False
        self.settle(check)
        return self.settled[step].is_right

    def _calls_wrong(self, step: str) -> bool:
        """Return whether a step calls one whose answers are wrong, and that no right one can stand in for."""
        called = self._called_fault(self._checks[step])
        return called is not None and self.settled[called.step].misleads

    def _earlier(self, check: Check) -> list[Check]:
        """Return the steps before this one; without `explain_fully`, only those graded already."""
        checks = self.exam.assignment.checks
        before = checks[: checks.index(check)]
        return [step for step in before if self.explain_fully or step.name in self.judged]

    def _explained(self, check: Check) -> CheckResult:
        """Explain what is wrong in a check whose points are settled."""
        settled = self.settled[check.name]
        wrong = next((one for one in settled.results.values() if not one.passed), None)
        if wrong:
            self.explaining.beside(partial(self.exam.make_wrong_answers, check.name))
        to_fix = first_to_fix(
            [self.check(self._checks[step]) for step in self._faulty(settled.called)],
            settled.called,
        )
        told = False
        for one in settled.results.values():
            if one.called:
                one.called = tuple(result.step for result in to_fix) or one.called
                one.feedback = None if told else self._fault_elsewhere(one, to_fix)
                told = True
            elif not one.passed:
                self._explain(check, settled, one)
        results = {**settled.results}
        if not wrong and (lacks := self.explaining.words(partial(self._lacks, check), "")):
            results["imports"] = CriterionResult(
                Outcome.PASSED, remarks=("not_there",), quoted=lacks
            )
        if stops := self.explaining.words(partial(self._plain.tutor.debugger_in, check.name), ""):
            results[DEBUGGER] = CriterionResult(Outcome.PASSED, remarks=(DEBUGGER,), quoted=stops)
        if wrong and self.exam.substitution is None and self.explain_fully:
            self._say_what_it_calls(check, wrong)
        return check_result(check, results, self._summed_up(check, results))

    def _summed_up(self, check: Check, results: Results) -> Feedback | None:
        """Return the words of all criteria that failed, and of all remarks; None if there are none."""
        failed = [one.feedback for one in results.values() if one.feedback]
        remarks = [
            remark_text(self.exam, check.name, *remark) for remark in remarked(results).items()
        ]
        feedback = summed_up(failed, remarks)
        value = results.get(VALUE)
        if feedback is None or value is None or value.repetition is None:
            return feedback
        told = value.feedback.mistakes if value.feedback else ()
        return replace(feedback, half_of=value.repetition.steps_of(told))

    def _lacks(self, check: Check) -> str:
        """Return which module a right step lacks where it is graded; empty if it is right there, too."""
        judge = self._as_graded
        for one in judge.ask(check).values() if judge else ():
            if judge and one.seen and not one.seen.detail:  # else its process ended
                loaded = judge.observations.session.loaded
                return module_lacked(check.name, one.seen.error, loaded, self._checks)
        return ""

    @cached_property
    def _as_graded(self) -> Judge | None:
        """The judge of public checks without what is not there in grading; None if the file imports nothing else."""
        packages = self.exam.assignment.packages
        imported = _IMPORTED.findall(self._text)
        if not self.exam.public or all(may_import(one, packages) for one in imported):
            return None
        session = self.session.standing_in(None, imports=packages)
        return Judge(self.exam, Observations(session), self._budget.beside)

    def _faulty(self, called: frozenset[str]) -> list[str]:
        return [name for name in self._checks if name in called and self.settled[name].is_faulty]

    @staticmethod
    def _fault_elsewhere(one: CriterionResult, to_fix: list[CheckResult]) -> Feedback:
        """Return the feedback for a criterion that is right once the steps that it calls are."""
        repeats = Repeats(one.called, tuple(result.outcome for result in to_fix))
        right = to_fix[0].feedback if to_fix and to_fix[0].outcome is Outcome.PASSED else None
        message = " ".join(right.remarks if right else ())
        return Feedback(one.outcome, message, repeats=repeats, reasons=(Reason.CARRIED_FORWARD,))

    def _explain(self, check: Check, settled: Settled, one: CriterionResult) -> None:
        """Explain one wrong answer, or why there is none."""
        asked, seen = one.asked, one.seen
        tutor = settled.again.tutor if settled.again and one.stood_in else self._plain.tutor
        if asked is None:
            one.feedback = tutor.stopped(check, seen) if seen else None
            return
        assert seen is not None
        if one.difference is None:
            one.feedback = tutor.no_answer(asked, seen, one.refused)
            if one.outcome is Outcome.NOT_STARTED:  # or its line was left beside the code
                one.outcome = one.feedback.outcome
        else:
            found = NOTHING if one.given_mistake else tutor.recognised(asked, seen)
            if asked.is_value:
                found, one.repeats = self._repeated(check, found)
            one.feedback = tutor.wrong_answer(asked, seen, one, found)
        if asked.question.special:
            one.feedback = in_a_corner(one.feedback, asked.question.special)
        before = self._asked[check.name].get(asked.criterion.name)
        if one.stood_in and settled.called:  # a stand-in's answers can be among the numbers
            one.feedback = replace(one.feedback, numbers=None)
        if one.stood_in and settled.called and not (before and _same(before, one)):
            reasons = (*one.feedback.reasons, Reason.RIGHT_CALLS)
            one.feedback = replace(one.feedback, reasons=reasons)

    def _repeated(self, check: Check, found: Recognition) -> tuple[Recognition, tuple[str, ...]]:
        """Return the mistakes of a wrong value, and the earlier steps that lost points for the same."""
        self._found[check.name] = found
        if not found.names:
            return found, ()
        wanted = {effect(self.exam, name) for name in found.names}
        earlier = {}
        for step in self._earlier(check):
            settled = self.settled.get(step.name)
            if not (settled and settled.is_right) and wanted & self._known_effects(step):
                self.check(step)
                if step.name in self._found:
                    earlier[step.name] = self._found[step.name]
        found, steps = repeated_steps(self.exam, found, earlier)
        self._found[check.name] = found
        return found, steps

    def _known_effects(self, check: Check) -> set[str]:
        self.explaining.beside(partial(self.exam.make_wrong_answers, check.name))
        return {
            effect(self.exam, wrong.mistake)
            for question in self.exam.questions_for(check, check.criterion(VALUE))
            for answers in question.answers
            for wrong in answers.wrong
        }

    def _called_fault(self, check: Check) -> CheckResult | None:
        """Without a reference: return the result of a called step that has wrong answers, else of one with a fault."""
        if self.exam.substitution is not None or not self.explain_fully:
            return None
        nothing: list[str] = []
        names = self.explaining.words(partial(self._plain.tutor.called_steps, check.name), nothing)
        earlier = {step.name: step for step in self._earlier(check)}
        results = [self.check(earlier[name]) for name in names if name in earlier]
        faulty = [one for one in results if self.settled[one.step].is_faulty]
        wrong = (one for one in faulty if self.settled[one.step].misleads)
        return next(wrong, next(iter(faulty), None))

    def _say_what_it_calls(self, check: Check, wrong: CriterionResult) -> None:
        """Without a reference: name the called step that has a fault, and say that the grade may be another one.

        No right step can stand in for a wrong one here: only the grade knows what that costs.
        """
        called, feedback = self._called_fault(check), wrong.feedback
        if feedback is None:
            return
        repeats = feedback.repeats
        is_told = called is None or called.step == feedback.other_step
        if called and not is_told and (repeats is None or called.step in repeats.steps):
            repeats = Repeats((called.step,), (called.outcome,))
        if called and self.settled[called.step].misleads:
            wrong.repeats = wrong.repeats or (called.step,)
        reasons = feedback.reasons
        if repeats or Reason.IN_ANOTHER_STEP in reasons:
            reasons = (*reasons, Reason.JUDGED_ALONE)
        wrong.feedback = replace(feedback, repeats=repeats, reasons=reasons)


def _has_hung(found: Results) -> bool:
    return any(one.outcome is Outcome.TIMED_OUT for one in found.values())


def _merged(check: Check, found: Results, again: Results, called: tuple[str, ...]) -> Results:
    """Return the results of a check that calls steps which are not right.

    Its answers with right calls count. What these make right is the fault of the called steps.
    """
    merged: Results = {}
    for criterion in check.criteria:
        before, after = found.get(criterion.name), again.get(criterion.name)
        if after is None:
            continue
        printed = before.printed if before else ""  # not what stand-ins answer
        if after.passed and before is not None and not before.passed:
            result = replace(before, points=after.points, called=called, repetition=None)
        else:
            result = replace(after, printed=printed, stood_in=True)
        merged[criterion.name] = result
    return merged


def _same(before: CriterionResult, after: CriterionResult) -> bool:
    """Return whether right calls change nothing about a wrong answer."""
    if before.seen is None or after.seen is None:
        return before.seen is after.seen
    one, other = before.seen, after.seen
    same = (one.outcome, one.error, one.detail) == (other.outcome, other.error, other.detail)
    return same and agrees(one.value, other.value)
