"""Print the summary of `autograder grade`: the marks, students without one, common mistakes, and the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.commands.console import say
from autograder.commands.report import write_pages_of
from autograder.reports.common_mistakes import most_common_text
from autograder.reports.formats.base import PUBLIC_WORDS
from autograder.reports.terminal_table import legend, marks_table, notes
from autograder.results import Result, Status
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from rich.console import Console

    from autograder.submission.person import Person


def print_summary(
    console: Console,
    results: Collection[Result],
    out: Path,
    counts: str,
    absent: Sequence[Person],
    *,
    quiet: bool,
    pages: bool,
) -> None:
    """Print the table of marks, and write the pages.

    Args:
        out: the folder of results.
        counts: how many results were kept and how many are new.
        absent: the people on the roster who handed in nothing.
        quiet: print only what was not graded.
        pages: write the pages of results.
    """
    if not quiet:
        console.print(marks_table(results))
        say(legend(results))
        say(counts)
    noted = (result for result in results if not quiet or result.status is not Status.GRADED)
    for line in notes(noted):
        say(line)
    if absent:
        names = ", ".join(one_line(person.name) for person in absent)
        say(f"Handed in nothing ({len(absent)}): {names}")
    if not quiet and (mistakes := most_common_text(results)):
        say(mistakes)
    if pages:
        write_pages_of(out, quiet=quiet)
    if not quiet:
        say(f"Marks: {out / 'grades.csv'}   each student's: {out / '<student>' / 'results.json'}")
        if any(result.public for result in results):
            say(PUBLIC_WORDS)
