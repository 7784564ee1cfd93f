"""A mistake that a step repeats, and the answers that are right given this mistake.

A step with a repeated mistake must still earn its remaining points: its other criteria are compared
with the reference that makes the same mistake.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.checks import DOCUMENTED, VALUE
from autograder.compare import Comparison, Right, compare
from autograder.exam.questions import Request
from autograder.exam.rounding import agrees_up_to_rounding, shaken
from autograder.exam.student_step import Unanswered
from autograder.results import Outcome
from autograder.values.values import DictValue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from autograder.assignment.checks import Check, Criterion
    from autograder.exam.questions import Exam, Question
    from autograder.exam.reference import Inputs
    from autograder.grading.asked import Asked
    from autograder.grading.observations import Observations
    from autograder.results import Observation
    from autograder.values.values import Value


@dataclass(frozen=True)
class Repetition:
    """How a wrong answer repeats earlier steps.

    Attributes:
        steps: the names of the earlier steps.
        modules: make the reference with the repeated mistake, one for each mistake that fits. There
            is none for students, who have no reference.
        by_step: the mistake has no name: the reference calls the student's own step.
    """

    exam: Exam
    steps: tuple[str, ...]
    modules: tuple[Callable[[], ModuleType], ...] = ()
    by_step: bool = False

    def can_be_asked(self, criterion: Criterion, question: Question, probe: int) -> bool:
        """Return whether the reference with the mistake answers a question of another criterion.

        After some known mistakes it cannot, for example if the output has another shape. A student's
        own step is always asked: it fails where no gradient flows through it.
        """
        substitution = self.exam.substitution
        return (
            substitution is None
            or self.by_step
            or any(
                substitution.observe(criterion.all_probes[probe], make(), question.inputs)
                for make in self.modules
            )
        )

    def comparisons(self, asked: Asked, seen: Value) -> list[Comparison]:
        """Compare the answer to another criterion with the answers that are right given the mistake.

        Without the reference, only type, shape and finiteness are compared.
        """
        substitution = self.exam.substitution
        if substitution is None:
            return [compare(right, seen, math.inf) for right in asked.right]
        criterion, question = asked.criterion, asked.question
        found: list[Comparison] = []
        for make in self.modules:
            module = make()
            observe = functools.partial(
                substitution.observe, criterion.all_probes[asked.probe], module
            )
            if answer := observe(question.inputs):
                moved = functools.partial(observe, shaken(question.inputs))
                agrees = agrees_up_to_rounding(answer[0], seen, moved)
                right = Right(answer[0])
                found.append(Comparison(None) if agrees else compare(right, seen, criterion.slack))
            if criterion.name == DOCUMENTED and all(comparison.difference for comparison in found):
                number = self.exam.questions_for(asked.check, criterion).index(question)
                for case in substitution.documented(asked.check.name, module)[number : number + 1]:
                    found += [compare(right, seen) for right in case.right]
        return found or [compare(asked.right[0], seen, criterion.slack)]


def repeated_mistakes(
    exam: Exam, steps: tuple[str, ...], alternatives: Sequence[tuple[str, ...]]
) -> Repetition:
    """Return the repetition of known mistakes; each alternative fits the answer."""
    substitution = exam.substitution
    if substitution is None:
        return Repetition(exam, steps)

    make = functools.partial(functools.partial, substitution.module_with_mistakes)
    return Repetition(exam, steps, tuple(map(make, alternatives)))


def repeated_step(step: StudentStep) -> Repetition:
    """Return the repetition of a student's own wrong step, whose mistake has no name."""

    substitution = step.exam.substitution
    assert substitution is not None
    make = functools.partial(substitution.module_with_step, step.name, step.answer, step.pull_back)
    return Repetition(step.exam, (step.name,), (make,), by_step=True)


@dataclass(frozen=True)
class StudentStep:
    """A student's step as the reference can call it: it runs in the worker."""

    exam: Exam
    check: Check
    observations: Observations

    @property
    def name(self) -> str:
        """The name of the step."""
        return self.check.name

    def answer(self, inputs: Inputs) -> Value:
        """Return the step's answer. Raises Unanswered if there is none."""
        asked = self.exam.questions_for(self.check, self.check.criterion(VALUE))[0]
        if inputs.keys() != asked.inputs.keys():
            # Its probe takes other inputs than the step's arguments.
            raise Unanswered(self.name)
        seen = self._observe(Request("observe", self.name, VALUE, 0, inputs))
        return seen.value

    def pull_back(self, inputs: Inputs, upstream: Sequence[Value]) -> dict[str, Value]:
        """Return the gradients of the step's inputs. Raises Unanswered if no gradient flows."""
        seen = self._observe(Request("pull_back", self.name, VALUE, 0, inputs, tuple(upstream)))
        entries = seen.value.items if isinstance(seen.value, DictValue) else ()
        found = {key: value for key, value in entries if isinstance(key, str)}
        if found.keys() != inputs.keys():
            raise Unanswered(self.name)
        return found

    def _observe(self, request: Request) -> Observation:
        seen = self.observations.session.observe(request)
        if seen.outcome is not Outcome.PASSED:
            raise Unanswered(self.name)
        return seen
