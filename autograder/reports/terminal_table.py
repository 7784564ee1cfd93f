"""Show the marks of the class as a table on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from autograder.results import Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.results import CheckResult, Result

_MARKS = {
    Outcome.NOT_STARTED: "-",
    Outcome.MISSING: "?",
    Outcome.RAISED: "!",
    Outcome.TIMED_OUT: "T",
    Outcome.EXITED: "E",
    Outcome.CRASHED: "C",
    Outcome.TOO_LARGE: "L",
}


def marks_table(results: Sequence[Result]) -> Table:
    """Return a table with a row for each submission: its score or status, and each step's points."""
    table = Table(title=results[0].assignment if results else None)
    table.add_column("student", overflow="fold")
    table.add_column("score", justify="right")
    for number, _ in enumerate(results[0].checks if results else (), start=1):
        table.add_column(str(number), justify="right")
    for result in results:
        if result.status is Status.GRADED:
            score = f"{result.score:g}/{result.max_score:g}"
            table.add_row(escape(result.student), score, *map(_mark, result.checks))
        else:
            table.add_row(escape(result.student), result.status.value, style="yellow")
    return table


def _mark(check: CheckResult) -> str:
    if check.score == 0 and check.outcome in _MARKS:
        return _MARKS[check.outcome]
    return f"{check.score:g}"


def legend(results: Sequence[Result]) -> str:
    """Explain the column numbers and the signs of the table."""
    if not results:
        return ""
    steps = ", ".join(f"{number} {check.step}" for number, check in enumerate(results[0].checks, 1))
    present = {check.outcome for result in results for check in result.checks if check.score == 0}
    signs = ", ".join(
        f"{sign} {outcome.value.replace('_', ' ')}"
        for outcome, sign in _MARKS.items()
        if outcome in present
    )
    return f"{steps}\n{signs}" if signs else steps
