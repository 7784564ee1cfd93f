"""The result of one criterion of a check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.explain.recognise import NOTHING, Named

if TYPE_CHECKING:
    from autograder.results import Feedback, Outcome


@dataclass
class CriterionResult:
    """The result of one criterion.

    Attributes:
        feedback: why the answer is wrong; None if it is right.
        found: the known mistakes that the answer shows.
        repeats: the earlier steps that already lost points for the same mistakes.
    """

    outcome: Outcome
    feedback: Feedback | None = None
    remarks: tuple[str, ...] = ()
    printed: str = ""
    found: Named = NOTHING
    repeats: tuple[str, ...] = ()
