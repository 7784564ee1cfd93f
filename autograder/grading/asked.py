"""What one probe of a check was asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE

if TYPE_CHECKING:
    from autograder.assignment.checks import Check, Criterion
    from autograder.compare import Right
    from autograder.exam.questions import Question


@dataclass(frozen=True)
class Asked:
    """One question to one probe; `probe` is its number among the criterion's probes."""

    check: Check
    criterion: Criterion
    question: Question
    probe: int

    @property
    def right(self) -> tuple[Right, ...]:
        """The right answers: one is enough."""
        return self.question.answers[self.probe].right

    @property
    def is_value(self) -> bool:
        """Whether the step's value is asked for."""
        return self.criterion.name == VALUE
