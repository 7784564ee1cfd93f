"""Error carried forward: a mistake that already cost points in an earlier step costs only a part.

The proof is by value. Either both answers show the same known mistake, or the step's answer equals
that of the reference when the reference calls the student's own wrong step. A class that calls the
wrong step and a class that repeats its mistake give the same values, so they are treated alike.

Nothing is carried for an answer that is not computed from the inputs. A known mistake that replaces
the whole computation is declared as such. A wrong step whose mistake is unknown must depend on each
of its tensors, and so must the later step that repeats the mistake.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from autograder.assignment.checks import VALUE
from autograder.compare import ABSOLUTE, RELATIVE
from autograder.exam.questions import Request
from autograder.exam.redraw import drawn_anew, paths
from autograder.exam.reference import flat, is_of_many_numbers
from autograder.exam.rounding import agrees_up_to_rounding, shaken
from autograder.explain.recognise import Recognition, already_paid, effect, named
from autograder.grading.repetition import StudentStep, repeated_mistakes, repeated_step
from autograder.results import Outcome
from autograder.values.values import Array

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam, Question
    from autograder.exam.redraw import Path
    from autograder.exam.reference import Inputs
    from autograder.grading.criterion_result import CriterionResult
    from autograder.grading.observations import Observations
    from autograder.grading.repetition import Repetition
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
    past: EarlierSteps, check: Check, probe: int, seen: Value, found: Recognition
) -> tuple[Recognition, Repetition | None]:
    """Return the mistakes of a wrong answer, and how it repeats earlier steps that lost points.

    If several mistakes look the same, keep those that already cost points.
    """
    exam = past.exam
    # None, or the same number everywhere, proves nothing about its cause.
    if not is_of_many_numbers(seen) or not exam.uncarried.isdisjoint(found.names):
        return found, None
    paid = _paid(past, found)
    repeated = already_paid(exam, found, paid)
    if repeated.alternatives:
        steps = {paid[effect(exam, name)] for name in repeated.alternatives[0]}
        earlier = [step for step in exam.assignment.checks if step.name in steps]
        read = {name for step in earlier for name in past.judged(step).found.names}
        same_words = [
            alternative for alternative in repeated.alternatives if read.issuperset(alternative)
        ]
        if same_words:  # do not show a synonym with other words
            repeated = named(exam, same_words)
        names = tuple(step.name for step in earlier)
        return repeated, repeated_mistakes(exam, names, repeated.alternatives)
    step = _only_wrong_step(past, check)
    if step is None or exam.substitution is None:
        return found, None
    student = StudentStep(exam, step, past.observations)
    if _calls_it(past, check, probe, student) and _computes(past, check, probe, student):
        return found, repeated_step(student)
    return found, None


def _paid(past: EarlierSteps, found: Recognition) -> dict[str, str]:
    """Map each mistake that an earlier step's value shows to the first such step."""
    exam = past.exam
    wanted = {effect(exam, name) for name in found.names}
    paid: dict[str, str] = {}
    for earlier in past.steps:
        known = {
            effect(exam, wrong.mistake)
            for question in exam.questions_for(earlier, earlier.criterion(VALUE))
            for answers in question.answers
            for wrong in answers.wrong
        }
        if wanted & known:
            names = past.judged(earlier).found.names
            if exam.uncarried.isdisjoint(names):
                for name in names:
                    paid.setdefault(effect(exam, name), earlier.name)
    return paid


def _only_wrong_step(past: EarlierSteps, check: Check) -> Check | None:
    """Return the only wrong step among those that this step uses; None if there is not just one."""
    substitution = past.exam.substitution
    if substitution is None:
        return None
    used = substitution.uses[check.name]
    parts = [step for step in past.steps if step.name in used]
    wrong = [part for part in parts if past.judged(part).outcome is not Outcome.PASSED]
    if len(wrong) != 1 or past.judged(wrong[0]).outcome is not Outcome.WRONG:
        return None
    names = past.judged(wrong[0]).found.names
    return wrong[0] if past.exam.uncarried.isdisjoint(names) else None


def _calls_it(past: EarlierSteps, check: Check, probe: int, step: StudentStep) -> bool:
    """Return whether the answers equal the reference's answers when it calls the student's own `step`."""
    exam, substitution = past.exam, past.exam.substitution
    assert substitution is not None
    criterion = check.criterion(VALUE)

    def compose(inputs: Inputs) -> tuple[Value] | None:
        return substitution.with_student_step(
            criterion.probes[probe], inputs, step.name, step.answer
        )

    for case in exam.questions_for(check, criterion):
        seen = past.observations.observe_once(case, probe)
        with_student_step = compose(case.inputs)
        if seen.outcome is not Outcome.PASSED or with_student_step is None:
            return False
        moved = functools.partial(compose, shaken(case.inputs))
        if not agrees_up_to_rounding(with_student_step[0], seen.value, moved):
            return False
    return True


def _computes(past: EarlierSteps, check: Check, probe: int, step: StudentStep) -> bool:
    """Return whether a wrong step and the later step each depend on all of their own tensors.

    A step with a known mistake need not: the mistake says what it computes.
    """
    if past.judged(step.check).found.names:
        return True
    own = past.exam.questions_for(step.check, step.check.criterion(VALUE))[0]
    question = past.exam.questions_for(check, check.criterion(VALUE))[0]
    tensors = [(name,) for name in question.inputs if (name,) in question.matters]
    return _depends_on(past, own, 0, paths(own.inputs)) and _depends_on(
        past, question, probe, tensors
    )


def _depends_on(past: EarlierSteps, question: Question, probe: int, inputs: Iterable[Path]) -> bool:
    """Return whether the student's answer changes whenever one of these tensors is drawn anew."""
    before = past.observations.observe_once(question, probe)
    for path in inputs:
        if isinstance(question.inputs[path[0]], Array):
            anew = drawn_anew(question.inputs, path)
            request = Request("observe", question.step, question.criterion, probe, anew)
            after = past.observations.session.observe(request)
            if after.outcome is not Outcome.PASSED or not _differ(before.value, after.value):
                return False
    return True


def _differ(first: Value, second: Value) -> bool:
    """Return whether two answers have different numbers."""
    numbers, others = flat(first), flat(second)
    return numbers.shape != others.shape or not np.allclose(numbers, others, RELATIVE, ABSOLUTE)
