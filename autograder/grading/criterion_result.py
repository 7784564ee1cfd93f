"""How one criterion of a check ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.explain.recognise import NOTHING, Named

if TYPE_CHECKING:
    from autograder.results import Feedback, Outcome


@dataclass
class CriterionResult:
    """How one criterion ended; there is no feedback where it is right.

    `repeats` are the earlier steps that paid for what is wrong.
    """

    outcome: Outcome
    feedback: Feedback | None = None
    remarks: tuple[str, ...] = ()
    printed: str = ""
    found: Named = NOTHING
    repeats: tuple[str, ...] = ()
