"""A known mistake of a called step, made again in a step's own lines, and what is right given this mistake.

The step's other criteria are compared with the reference that makes the same mistake.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from autograder.assignment.checks import DOCUMENTED
from autograder.compare import Comparison, Right, compare
from autograder.exam.recognise import effect, fitting_mistakes
from autograder.exam.rounding import agrees_up_to_rounding, shaken

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from types import ModuleType

    from autograder.exam.questions import Asked, Question
    from autograder.exam.recognise import Once
    from autograder.exam.substitution import Substitution
    from autograder.results import Observation
    from autograder.values.values import Value


@dataclass(frozen=True)
class Repetition:
    """The mistakes of called steps that an answer shows.

    Attributes:
        steps: the step of each mistake; each one gives this answer.
    """

    substitution: Substitution
    steps: Mapping[str, str]

    def steps_of(self, told: Collection[str]) -> tuple[str, ...]:
        """Return the step of one mistake: of the first that was told, if there is any."""
        first = next(iter(self.steps))
        return (self.steps[next((name for name in told if name in self.steps), first)],)

    @cached_property
    def _modules(self) -> tuple[ModuleType, ...]:
        return tuple(map(self.substitution.module_with_mistake, self.steps))

    def comparisons(self, asked: Asked, seen: Value) -> list[Comparison]:
        """Compare the answer to another criterion with the answers that are right given the mistake.

        There is none if the reference cannot answer with the mistake, for example if the output has another shape.
        """
        criterion, question = asked.criterion, asked.question
        found: list[Comparison] = []
        for module in self._modules:
            probe = criterion.all_probes[asked.probe]
            observe = partial(self.substitution.observe, probe, module)
            if answer := observe(question.inputs):
                moved = partial(observe, shaken(question.inputs))
                agrees = agrees_up_to_rounding(answer[0], seen, moved)
                right = Right(answer[0])
                found.append(Comparison(None) if agrees else compare(right, seen, criterion.slack))
            if criterion.name == DOCUMENTED and all(comparison.difference for comparison in found):
                number = asked.exam.questions_for(asked.check, criterion).index(question)
                documented = self.substitution.documented(asked.check.name, module)
                for case in documented[number : number + 1]:
                    found += [compare(right, seen) for right in case.right]
        return found


def repetition_of(
    asked: Asked, seen: Observation, ask: Callable[[Question, int], Observation], once: Once
) -> Repetition | None:
    """Return the mistakes of called steps that a wrong value shows; None if it is wrong in another way.

    All known mistakes that fit the answer count, each by its effect: none may be one of this step, nor leave out what
    the right answer is made of, such as queries and keys.

    Args:
        once: runs the reference with a mistake, once for all submissions.
    """
    exam, step = asked.exam, asked.check.name
    substitution = exam.substitution
    if substitution is None or not asked.is_value:
        return None
    of_called = substitution.mistakes_of_called(step)
    names = fitting_mistakes(asked, seen, ask)
    if step in map(substitution.declared_for, names):
        return None
    steps = {name: of_called.get(effect(exam, name), "") for name in names}
    if not all(steps.values()):
        return None
    probe, inputs = asked.criterion.all_probes[asked.probe], asked.question.inputs
    if any(once(partial(substitution.leaves_out, name, probe, inputs)) for name in names):
        return None
    own = {name: of_called.get(name) or step for name, step in steps.items()}
    return Repetition(substitution, own) if own else None
