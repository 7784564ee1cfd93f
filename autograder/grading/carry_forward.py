"""Error carried forward: a mistake that already cost points in an earlier step costs only a part.

The proof is by value. Either both answers show the same known mistake, or the step's answer equals
that of the reference when the reference calls the student's own wrong step. A class that calls the
wrong step and a class that repeats its mistake give the same values, so they are treated alike.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.exam.questions import Request
from autograder.exam.reference import is_of_many_numbers
from autograder.exam.rounding import agrees_up_to_rounding, shaken
from autograder.exam.substitution import Unanswered
from autograder.explain.recognise import Named, effect, named, only_paid
from autograder.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam
    from autograder.exam.reference import Inputs
    from autograder.grading.criterion_result import CriterionResult
    from autograder.grading.observations import Observations
    from autograder.values.values import Value


@dataclass(frozen=True)
class EarlierSteps:
    """The steps before the current one.

    Attributes:
        steps: the earlier steps that may be used, in order.
        judged: returns the result of a step's value criterion.
        observations: the observations of the submission.
    """

    exam: Exam
    steps: Sequence[Check]
    judged: Callable[[Check], CriterionResult]
    observations: Observations


def carried_forward(
    past: EarlierSteps, check: Check, probe: int, seen: Value, found: Named
) -> tuple[Named, tuple[str, ...]]:
    """Return the mistakes of a wrong answer, and the earlier steps where they already cost points.

    If several mistakes look the same, keep those that already cost points.
    """
    if not is_of_many_numbers(
        seen
    ):  # None, or the same number everywhere, proves nothing about its cause
        return found, ()
    paid = _paid(past, found)
    repeated = only_paid(past.exam, found, paid)
    if repeated.alternatives:
        steps = {paid[effect(past.exam, name)] for name in repeated.alternatives[0]}
        earlier = [one for one in past.exam.assignment.checks if one.name in steps]
        read = {name for one in earlier for name in past.judged(one).found.names}
        same_words = [one for one in repeated.alternatives if read.issuperset(one)]
        if same_words:  # do not show a synonym with other words
            repeated = named(past.exam, same_words)
        return repeated, tuple(one.name for one in earlier)
    step = _only_wrong_step(past, check)
    if step is not None and _calls_it(past, check, probe, step):
        return found, (step.name,)
    return found, ()


def _paid(past: EarlierSteps, found: Named) -> dict[str, str]:
    """Map each mistake that an earlier step's value shows to the first such step."""
    exam = past.exam
    wanted = {effect(exam, name) for name in found.names}
    paid: dict[str, str] = {}
    for earlier in past.steps:
        known = {
            effect(exam, wrong.mistake)
            for question in exam.about(earlier, earlier.criterion(VALUE))
            for answers in question.answers
            for wrong in answers.wrong
        }
        if wanted & known:
            for name in past.judged(earlier).found.names:
                paid.setdefault(effect(exam, name), earlier.name)
    return paid


def _only_wrong_step(past: EarlierSteps, check: Check) -> Check | None:
    """Return the only wrong step among those that this step uses; None if there is not just one."""
    substitution = past.exam.substitution
    if substitution is None:
        return None
    used = substitution.uses[check.name]
    parts = [one for one in past.steps if one.name in used]
    wrong = [one for one in parts if past.judged(one).outcome is not Outcome.PASSED]
    if len(wrong) != 1 or past.judged(wrong[0]).outcome is not Outcome.WRONG:
        return None
    return wrong[0]


def _calls_it(past: EarlierSteps, check: Check, probe: int, step: Check) -> bool:
    """Whether the answers equal those of the reference when it calls the student's own `step`."""
    exam, substitution = past.exam, past.exam.substitution
    assert substitution is not None
    criterion = check.criterion(VALUE)
    asked = exam.about(step, step.criterion(VALUE))[0]

    def ask(inputs: Inputs) -> Value:
        if (
            inputs.keys() != asked.inputs.keys()
        ):  # its probe takes other inputs than the step's arguments
            raise Unanswered(step.name)
        seen = past.observations.session.observe(Request("observe", step.name, VALUE, 0, inputs))
        if seen.outcome is not Outcome.PASSED:
            raise Unanswered(step.name)
        return seen.value

    def compose(inputs: Inputs) -> tuple[Value] | None:
        return substitution.composed(criterion.probes[probe], inputs, step.name, ask)

    for case in exam.about(check, criterion):
        seen = past.observations.ask_again(case, probe)
        composed = compose(case.inputs)
        if seen.outcome is not Outcome.PASSED or composed is None:
            return False
        moved = functools.partial(compose, shaken(case.inputs))
        if not agrees_up_to_rounding(composed[0], seen.value, moved):
            return False
    return True
