"""The result of one criterion of a check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.explain.recognise import NOTHING, Recognition

if TYPE_CHECKING:
    from autograder.grading.repetition import Repetition
    from autograder.results import Feedback, Outcome


@dataclass
class CriterionResult:
    """The result of one criterion.

    Attributes:
        feedback: why the answer is wrong; None if it is right.
        found: the known mistakes that the answer shows.
        repetition: how the answer repeats earlier steps that already lost points.
        called: the earlier steps that the answer needs, if it is right with right answers to their calls.
    """

    outcome: Outcome
    feedback: Feedback | None = None
    remarks: tuple[str, ...] = ()
    printed: str = ""
    found: Recognition = NOTHING
    repetition: Repetition | None = None
    called: tuple[str, ...] = ()

    @property
    def repeats(self) -> tuple[str, ...]:
        """The earlier steps that already lost points for what is wrong here."""
        return self.repetition.steps if self.repetition else self.called
