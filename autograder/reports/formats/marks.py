"""A student's mark for a gradebook, or the reason why the gradebook's cell stays blank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.results import Outcome, Status

if TYPE_CHECKING:
    from autograder.results import Result

MAX_NOTE = 200


@dataclass(frozen=True)
class Mark:
    """One student's entry for a gradebook.

    Attributes:
        points: the points; None if the cell stays blank.
        max_points: the points of the whole assignment.
        note: why there are no points; empty if there are.
    """

    points: float | None
    max_points: float
    note: str = ""

    @property
    def percentage(self) -> float | None:
        """Return the points in percent of the maximum; None if there are no points."""
        if self.points is None:
            return None
        return 100 * self.points / self.max_points if self.max_points else 0.0


def mark_of(result: Result) -> Mark:
    """Return the mark of a result. A rejected or ungraded submission has none.

    A person who overrides a step of a rejected submission, or every ungraded step, has decided: then
    the points count.
    """
    ungraded = any(
        check.outcome is Outcome.UNGRADED and check.override is None for check in result.checks
    )
    decided = any(check.override for check in result.checks)
    if ungraded or (result.status is not Status.GRADED and not decided):
        return Mark(None, result.max_score, f"{result.status.value}: {_first_line(result.output)}")
    return Mark(result.score, result.max_score)


def number(points: float, decimal: str = ".") -> str:
    """Return points as a text with up to four decimals and the given decimal sign."""
    text = f"{points:.4f}".rstrip("0").rstrip(".")
    return text.replace(".", decimal)


def _first_line(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= MAX_NOTE else line[:MAX_NOTE] + "..."
