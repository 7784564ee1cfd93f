"""How one aspect of a check ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from autograder.explain.feedback import Explanation
from autograder.explain.recognise import NOTHING, Named

if TYPE_CHECKING:
    from autograder.results import Outcome


@dataclass
class AspectResult:
    """How one aspect ended; `explanation` is empty for what is right.

    `repeats` are the earlier steps that paid for what is wrong.
    """

    outcome: Outcome
    explanation: Explanation = field(default_factory=lambda: Explanation(""))
    remarks: tuple[str, ...] = ()
    printed: str = ""
    found: Named = NOTHING
    repeats: tuple[str, ...] = ()
