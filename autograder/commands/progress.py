"""Show how far the grading of a class is: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from autograder.commands.console import say
from autograder.results import Status, points_short

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.results import Result

KEPT = "kept"


class ClassProgress:
    """The progress of a class. A kept result was there before; the others are new."""

    def __init__(self, console: Console, total: int, *, quiet: bool = False) -> None:
        no_bar = quiet or not console.is_terminal
        columns = ("grading", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=console, transient=True, disable=no_bar)
        self._task = self._bar.add_task("grading", total=total)
        self._total = total
        self._says = no_bar and not quiet
        self._counts: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def advance(self, result: Result, *, kept: bool) -> None:
        """Count one result, and show it."""
        self._counts[KEPT if kept else result.status.value] += 1
        self._bar.advance(self._task)
        if self._says:
            status = "" if result.status is Status.GRADED else f" {result.status.value}"
            status += f" ({KEPT})" if kept else ""
            score = points_short(result)
            say(f"[{self._counts.total()}/{self._total}] {result.student} {score}{status}")

    @property
    def summary(self) -> str:
        """Return how many results were kept, graded, rejected and ungraded: "25 kept, 1 graded"."""
        order = (KEPT, *(status.value for status in Status))
        return ", ".join(f"{self._counts[word]} {word}" for word in order if self._counts[word])
