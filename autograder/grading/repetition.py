"""A mistake that a step repeats, and the answers that are right given this mistake.

A step with a repeated mistake must still earn its remaining points: its other criteria are compared
with the reference that makes the same mistake.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from autograder.assignment.checks import DOCUMENTED
from autograder.compare import Comparison, Right, compare
from autograder.exam.changed_inputs import shaken
from autograder.exam.rounding import agrees_up_to_rounding

if TYPE_CHECKING:
    from types import ModuleType

    from autograder.exam.questions import Asked, Exam
    from autograder.values.values import Value


@dataclass(frozen=True)
class Repetition:
    """How a wrong answer repeats earlier steps.

    Attributes:
        steps: the names of the earlier steps.
        alternatives: the repeated mistakes; each alternative fits the answer.
    """

    exam: Exam
    steps: tuple[str, ...]
    alternatives: tuple[tuple[str, ...], ...]

    @cached_property
    def modules(self) -> tuple[ModuleType, ...]:
        """The reference with each alternative. There is none for students, who have no reference."""
        substitution = self.exam.substitution
        if substitution is None:
            return ()
        return tuple(map(substitution.module_with_mistakes, self.alternatives))

    def can_be_asked(self, asked: Asked) -> bool:
        """Return whether the reference with the mistake answers a question of another criterion.

        After some known mistakes it cannot, for example if the output has another shape.
        """
        substitution = self.exam.substitution
        probe = asked.criterion.all_probes[asked.probe]
        return substitution is None or any(
            substitution.observe(probe, module, asked.question.inputs) for module in self.modules
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
        for module in self.modules:
            observe = partial(substitution.observe, criterion.all_probes[asked.probe], module)
            if answer := observe(question.inputs):
                moved = partial(observe, shaken(question.inputs))
                agrees = agrees_up_to_rounding(answer[0], seen, moved)
                right = Right(answer[0])
                found.append(Comparison(None) if agrees else compare(right, seen, criterion.slack))
            if criterion.name == DOCUMENTED and all(comparison.difference for comparison in found):
                number = self.exam.questions_for(asked.check, criterion).index(question)
                for case in substitution.documented(asked.check.name, module)[number : number + 1]:
                    found += [compare(right, seen) for right in case.right]
        return found or [compare(asked.right[0], seen, criterion.slack)]
