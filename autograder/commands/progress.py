"""Show how far the grading of a class is, a line for each result."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from autograder.commands.console import say
from autograder.results import Status, points_short

if TYPE_CHECKING:
    from autograder.results import Result

KEPT = "kept"


class ClassProgress:
    """The progress of a class. A kept result was there before; the others are new."""

    def __init__(self, total: int, *, quiet: bool = False) -> None:
        self._total = total
        self._quiet = quiet
        self._counts: Counter[str] = Counter()

    def advance(self, result: Result, *, kept: bool) -> None:
        """Count one result, and show it."""
        self._counts[KEPT if kept else result.status.value] += 1
        if not self._quiet:
            status = "" if result.status is Status.GRADED else f" {result.status.value}"
            status += f" ({KEPT})" if kept else ""
            score = points_short(result)
            say(f"[{self._counts.total()}/{self._total}] {result.student} {score}{status}")

    @property
    def summary(self) -> str:
        """Return how many results were kept, graded, rejected and ungraded: "25 kept, 1 graded"."""
        order = (KEPT, *(status.value for status in Status))
        return ", ".join(f"{self._counts[word]} {word}" for word in order if self._counts[word])
