"""Show the marks of the class as a table on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from autograder.reports.step_state import OUTCOMES, state_of
from autograder.results import Status, points_short, steps_of
from autograder.text import without_commands

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from autograder.results import Result


def marks_table(results: Collection[Result], names: Mapping[str, str] | None = None) -> Table:
    """Return a table with a row for each submission: its score or status, and each step's points.

    `names` are to be shown for the students.
    """
    names = names or {}
    title = next((result.assignment for result in results), None)
    table = Table(title=title, box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("student")
    table.add_column("score", justify="right")
    steps = steps_of(results)
    for number, _ in enumerate(steps, start=1):
        table.add_column(str(number), justify="right")
    for result in results:
        shown = without_commands(names.get(result.student, result.student))
        name = Text(shown, no_wrap=True, overflow="ellipsis")
        if result.status is Status.GRADED:
            marks = {
                check.step: state_of(check).letter or f"{check.score:g}" for check in result.checks
            }
            row = [points_short(result), *(marks.get(step, "") for step in steps)]
            table.add_row(name, *row)
        else:
            table.add_row(name, result.status.value, style="yellow")
    return table


def notes(results: Iterable[Result]) -> Iterator[str]:
    """Yield the first line of the note on each submission that has one."""
    for result in results:
        status = "" if result.status is Status.GRADED else f" ({result.status.value})"
        if result.headline:
            yield f"{result.student}{status}: {result.headline}"
        for check in result.checks:
            if check.override and check.score < check.judged_score:
                yield (
                    f"{result.student}: overrides.csv gives {check.score:g} for {check.step}, "
                    f"the grader {check.judged_score:g}."
                )


def legend(results: Collection[Result]) -> str:
    """Explain the column numbers and the signs of the table."""
    if not results:
        return ""
    steps = ", ".join(f"{number} {step}" for number, step in enumerate(steps_of(results), 1))
    graded = [result for result in results if result.status is Status.GRADED]
    present = {check.outcome for result in graded for check in result.checks if check.score == 0}
    signs = ", ".join(
        f"{state.letter} {outcome.words}"
        for outcome, state in OUTCOMES.items()
        if state.letter and outcome in present
    )
    return f"{steps}\n{signs}" if signs else steps
