"""Ask a step again with right answers standing in for the steps that it calls and that are not right.

A step is judged on its own: if it is right with right answers, the fault is that of the step that it calls.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from autograder.assignment.checks import VALUE
from autograder.exam.stand_ins import CallsLeft, StandIns
from autograder.explain.feedback import remark_text
from autograder.grading.criterion_result import CriterionResult
from autograder.reasons import Reason
from autograder.results import Feedback, Outcome, Repeats

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam, Question
    from autograder.exam.substitution import Substitution
    from autograder.results import CheckResult, Observation
    from autograder.sandbox.session import Session

    Found = Mapping[str, tuple[CriterionResult, float]]

_NOTHING_TO_ASK = (Outcome.NOT_STARTED, Outcome.MISSING, Outcome.UNGRADED)


class Asker(Protocol):
    """A grader that asks a step's criteria in its session."""

    def ask(self, check: Check, /) -> Found:
        """Return the result of each criterion that counts, and its points."""
        ...

    def seen(self, question: Question, probe: int, /) -> Observation | None:
        """Return what a probe saw; None if it did not run."""
        ...


@dataclass(frozen=True)
class AskedAgain:
    """How a step was asked again: by a grader whose session has right answers for some steps."""

    stand_ins: StandIns
    grader: Asker
    found: Found


class Again:
    """Asks the steps of one submission again, in one session for each set of stand-ins."""

    def __init__(
        self, exam: Exam, session: Session, grader: Callable[[Session, StandIns], Asker]
    ) -> None:
        self._exam = exam
        self._session = session
        self._make = grader
        self._left = CallsLeft()
        self._made: dict[tuple[str, ...], tuple[StandIns, Asker]] = {}
        self.asked: dict[str, AskedAgain] = {}

    def better(
        self, check: Check, found: Found, faulty: Callable[[Check], CheckResult | None]
    ) -> dict[str, tuple[CriterionResult, float]]:
        """Return the results of a check's criteria, where right answers to its calls make them better.

        Args:
            found: the results with the student's own steps, and the points of each.
            faulty: returns the result of a step that has a fault of its own; None of any other.
        """
        value = found[VALUE][0]
        kept = {
            one.name: one.points * (1 if one.alone else 1 - check.carried) for one in check.criteria
        }
        lost = any(found.get(name, (None, 0.0))[1] < points for name, points in kept.items())
        if not lost or value.outcome in _NOTHING_TO_ASK:
            return dict(found)
        wrong = list(filter(None, map(faulty, self._callable(check))))
        steps = tuple(result.step for result in wrong)
        if not steps:
            return dict(found)
        if steps not in self._made:
            stand_ins = StandIns(self._substitution, steps, self._left)
            session = self._session.standing_in(stand_ins)
            self._made[steps] = stand_ins, self._make(session, stand_ins)
        stand_ins, grader = self._made[steps]
        stand_ins.called.clear()
        again = grader.ask(check)
        self.asked[check.name] = AskedAgain(stand_ins, grader, again)
        if not stand_ins.called:
            return dict(found)
        first = _first_to_fix(wrong, stand_ins.called)
        words = partial(called_words, self._exam, check, called=first)
        return _joined(check, found, again, kept, words)

    @property
    def _substitution(self) -> Substitution:
        assert self._exam.substitution is not None
        return self._exam.substitution

    def _callable(self, check: Check) -> list[Check]:
        """Return the steps that this step may call, and that can have a stand-in, in order."""
        substitution = self._exam.substitution
        if substitution is None:
            return []
        built_on = {step.name: step.builds_on for step in self._exam.assignment.checks}
        names, waiting = {check.name}, [check.name]
        while waiting:
            name = waiting.pop()
            found = {*substitution.uses[name], *built_on.get(name, ())} - names
            names |= found
            waiting += found
        names.remove(check.name)
        return [
            step
            for step in self._exam.assignment.checks
            if step.name in names & substitution.stand_ins
        ]


def _first_to_fix(wrong: Sequence[CheckResult], called: Collection[str]) -> list[CheckResult]:
    """Return the called steps, or the earlier ones whose mistakes they repeat."""
    names = {result.step for result in wrong}
    first = {
        result.carried_forward if result.carried_forward in names else result.step
        for result in wrong
        if result.step in called
    }
    return [result for result in wrong if result.step in first]


def _joined(
    check: Check,
    found: Found,
    again: Found,
    kept: Mapping[str, float],
    words: Callable[[Outcome], Feedback],
) -> dict[str, tuple[CriterionResult, float]]:
    """Return the better of both results of each criterion."""
    joined: dict[str, tuple[CriterionResult, float]] = {}
    told = False
    for criterion in check.criteria:
        before, points = found.get(criterion.name, (None, 0.0))
        after, further = again.get(criterion.name, (None, 0.0))
        if after is None or (before is not None and before.outcome is Outcome.PASSED):
            if before is not None:
                joined[criterion.name] = before, points
            continue
        printed = before.printed if before is not None else ""  # not what stand-ins answer
        if after.outcome is not Outcome.PASSED:
            own = before if before and _is_told(before, after) else _with_right_answers(after)
            joined[criterion.name] = replace(own, printed=printed), max(points, further)
            continue
        outcome = Outcome.WRONG if before is None else before.outcome
        feedback = words(outcome)
        result = CriterionResult(
            outcome,
            None if told else feedback,
            printed=printed,
            called=feedback.repeats.steps if feedback.repeats else (),
        )
        told = True
        joined[criterion.name] = result, max(points, kept[criterion.name])
    return joined


def _is_told(before: CriterionResult, after: CriterionResult) -> bool:
    """Return whether the first result says enough: right answers show nothing more."""
    return bool(before.repeats) or after.feedback in (None, before.feedback)


def _with_right_answers(after: CriterionResult) -> CriterionResult:
    if after.feedback is None:
        return after
    reasons = (*after.feedback.reasons, Reason.RIGHT_CALLS)
    return replace(after, feedback=replace(after.feedback, reasons=reasons))


def called_words(
    exam: Exam, check: Check, outcome: Outcome, called: Sequence[CheckResult]
) -> Feedback:
    """Explain a step that is right once the steps that it calls are."""
    steps = tuple(result.step for result in called)
    repeats = Repeats(steps, check.carried, tuple(result.outcome for result in called))
    remarks = called[0].remarks if called[0].outcome is Outcome.PASSED else ()
    message = " ".join(remark_text(exam, name) for name in remarks)
    return Feedback(outcome, message, repeats=repeats, reasons=(Reason.CARRIED_FORWARD,))
