"""Error carried forward: a known mistake that already cost points in an earlier step costs only a part.

The proof is by value: both answers show the same known mistake. A class that repeats the mistake of a step in its own
lines is treated like this. One that calls the wrong step is asked again with right answers (see `again`).

Nothing is carried for an answer that is not computed from the inputs: a known mistake that replaces the whole
computation is declared as such.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.exam.reference import is_of_many_numbers
from autograder.explain.recognise import Recognition, already_paid, effect, named
from autograder.grading.repetition import repeated_mistakes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam
    from autograder.grading.criterion_result import CriterionResult
    from autograder.grading.repetition import Repetition
    from autograder.values.values import Value


@dataclass(frozen=True)
class EarlierSteps:
    """The steps before the current one.

    Attributes:
        steps: the earlier steps that may be used, in order.
        judged: returns the result of a step's value criterion.
    """

    exam: Exam
    steps: Sequence[Check]
    judged: Callable[[Check], CriterionResult]


def carried_forward(
    past: EarlierSteps, seen: Value, found: Recognition
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
