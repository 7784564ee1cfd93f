"""What a wrong step means for the steps after it: which mistakes they repeat, and what is right without its fault.

Two rules keep a fault from costing its points again. Each has a proof by value:

* *Carried forward*: both answers show the same known mistake. A class that repeats the mistake of a step in its own
  lines is treated like this. Its other criteria are compared with the reference that makes the same mistake. Nothing
  is carried for an answer that is not computed from the inputs: a known mistake that replaces the whole computation is
  declared as such.
* *Asked again*: right answers stand in for the steps that a step calls and that are not right. If it is right with
  these, the fault is that of the called step.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.exam.reference import flat, is_of_many_numbers
from autograder.explain.recognise import already_paid, effect, named
from autograder.grading.points import CriterionResult, carried_points
from autograder.grading.repetition import Repetition
from autograder.reasons import Reason
from autograder.results import Feedback, Outcome, Repeats

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Asked, Exam
    from autograder.explain.recognise import Recognition
    from autograder.results import CheckResult
    from autograder.values.values import Value

_DECIMALS = 3
_NOTHING_TO_ASK = (Outcome.NOT_STARTED, Outcome.MISSING, Outcome.UNGRADED)


# Carried forward.


def carried_forward(
    asked: Asked,
    earlier: Sequence[Check],
    judged: Callable[[Check], CriterionResult],
    seen: Value,
    found: Recognition,
) -> tuple[Recognition, Repetition | None]:
    """Return the mistakes of a wrong answer, and how it repeats earlier steps that lost points.

    If several mistakes look the same, keep those that already cost points.

    Args:
        earlier: the steps before this one that may be used, in order.
        judged: returns the result of a step's value criterion.
        seen: the wrong answer.
        found: the known mistakes that it shows.
    """
    exam = asked.exam
    if not _is_computed(asked, seen, found) or not exam.uncarried.isdisjoint(found.names):
        return found, None
    paid = _paid(exam, earlier, judged, found)
    repeated = already_paid(exam, found, paid)
    if not repeated.alternatives:
        return found, None
    steps = {paid[effect(exam, name)] for name in repeated.alternatives[0]}
    repeats = [step for step in exam.assignment.checks if step.name in steps]
    read = {name for step in repeats for name in judged(step).found.names}
    same_words = [
        alternative for alternative in repeated.alternatives if read.issuperset(alternative)
    ]
    if same_words:  # do not show a synonym with other words
        repeated = named(exam, same_words)
    names = tuple(step.name for step in repeats)
    return repeated, Repetition(exam, names, repeated.alternatives)


def _is_computed(asked: Asked, seen: Value, found: Recognition) -> bool:
    """Return whether an answer proves something about its cause.

    None does not, nor the same number everywhere, unless the mistake gives another number in another case.
    """
    if is_of_many_numbers(seen):
        return True
    numbers = {
        round(float(flat(wrong.value)[0]), _DECIMALS)
        for question in (asked.question, *asked.others)
        for wrong in question.answers[asked.probe].wrong
        if wrong.mistake in found.names[:1] and flat(wrong.value).size
    }
    return flat(seen).size > 0 and len(numbers) > 1


def _paid(
    exam: Exam,
    earlier: Sequence[Check],
    judged: Callable[[Check], CriterionResult],
    found: Recognition,
) -> dict[str, str]:
    """Map each mistake that an earlier step's value shows to the first such step."""
    wanted = {effect(exam, name) for name in found.names}
    paid: dict[str, str] = {}
    for step in earlier:
        known = {
            effect(exam, wrong.mistake)
            for question in exam.questions_for(step, step.criterion(VALUE))
            for answers in question.answers
            for wrong in answers.wrong
        }
        if wanted & known:
            names = judged(step).found.names
            if exam.uncarried.isdisjoint(names):
                for name in names:
                    paid.setdefault(effect(exam, name), step.name)
    return paid


# Asked again.


def may_be_asked_again(check: Check, found: Mapping[str, CriterionResult]) -> bool:
    """Return whether right answers to its calls could make a step's points better."""
    if found[VALUE].outcome in _NOTHING_TO_ASK:
        return False
    points = {name: result.points for name, result in found.items()}
    return any(
        points.get(criterion.name, 0.0) < carried_points(check, criterion)
        for criterion in check.criteria
    )


def callable_steps(exam: Exam, check: Check) -> list[Check]:
    """Return the steps that this step may call, and that can have a stand-in, in order."""
    assert exam.substitution is not None
    steps = {step.name: step for step in exam.assignment.checks}
    names, waiting = {check.name}, [check.name]
    while waiting:
        name = waiting.pop()
        built_on = steps[name].builds_on if name in steps else ()
        more = {*exam.substitution.uses[name], *built_on} - names
        names |= more
        waiting += more
    names = (names - {check.name}) & exam.substitution.stand_ins
    return [step for name, step in steps.items() if name in names]


def first_to_fix(wrong: Sequence[CheckResult], called: Collection[str]) -> list[CheckResult]:
    """Return the called steps, or the earlier ones whose mistakes they repeat."""
    names = {result.step for result in wrong}
    first = {
        result.carried_forward if result.carried_forward in names else result.step
        for result in wrong
        if result.step in called
    }
    return [result for result in wrong if result.step in first]


def better_of(
    check: Check,
    found: Mapping[str, CriterionResult],
    again: Mapping[str, CriterionResult],
    to_fix: Sequence[CheckResult],
) -> dict[str, CriterionResult]:
    """Return the better of both results of each criterion.

    Args:
        found: the results with the student's own steps.
        again: the results with right answers to its calls.
        to_fix: the results of the steps that are at fault.
    """
    joined: dict[str, CriterionResult] = {}
    told = False
    for criterion in check.criteria:
        before, after = found.get(criterion.name), again.get(criterion.name)
        if after is None or (before is not None and before.passed):
            if before is not None:
                joined[criterion.name] = before
            continue
        printed = before.printed if before is not None else ""  # not what stand-ins answer
        points = before.points if before is not None else 0.0
        if after.passed:
            outcome = Outcome.WRONG if before is None else before.outcome
            result = _at_fault_elsewhere(check, outcome, to_fix, told=told)
            points = max(points, carried_points(check, criterion))
            told = True
        else:
            result = before if before and _is_told(before, after) else _with_right_answers(after)
            points = max(points, after.points)
        joined[criterion.name] = replace(result, printed=printed, points=points)
    return joined


def _at_fault_elsewhere(
    check: Check, outcome: Outcome, to_fix: Sequence[CheckResult], *, told: bool
) -> CriterionResult:
    """Return the result of a criterion that is right once the steps that it calls are. It is explained once."""
    steps = tuple(result.step for result in to_fix)
    if told:
        return CriterionResult(outcome, called=steps)
    repeats = Repeats(steps, check.carried, tuple(result.outcome for result in to_fix))
    first = to_fix[0].feedback if to_fix[0].outcome is Outcome.PASSED else None
    message = " ".join(first.remarks if first else ())
    feedback = Feedback(outcome, message, repeats=repeats, reasons=(Reason.CARRIED_FORWARD,))
    return CriterionResult(outcome, feedback, called=steps)


def _is_told(before: CriterionResult, after: CriterionResult) -> bool:
    """Return whether the first result says enough: right answers show nothing more."""
    return bool(before.repeats) or after.feedback in (None, before.feedback)


def _with_right_answers(after: CriterionResult) -> CriterionResult:
    if after.feedback is None:
        return after
    reasons = (*after.feedback.reasons, Reason.RIGHT_CALLS)
    return replace(after, feedback=replace(after.feedback, reasons=reasons))
