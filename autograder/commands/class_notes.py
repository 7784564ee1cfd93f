"""Print what `autograder grade` has to say about a class, before it is graded and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder import __version__
from autograder.commands.console import say
from autograder.commands.report import write_pages_of
from autograder.grading.overrides import OVERRIDES_FILE
from autograder.reports.class_folder import EDITED_FILE
from autograder.reports.common_mistakes import most_common_text
from autograder.reports.formats.words import PUBLIC_WORDS
from autograder.reports.gradescope_json import RESULTS_FILE
from autograder.reports.terminal_table import legend, marks_table, notes
from autograder.results import Result, Status
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from rich.console import Console

    from autograder.grading.run_seed import Run
    from autograder.reports.class_folder import Beginning
    from autograder.submission.directory import Person
    from autograder.submission.hand_in import HandIn

_LISTED = 10


def tell_beginning(beginning: Beginning, run: Run, out: Path) -> None:
    """Print what is unusual about the folder of results. A new folder has nothing to tell."""
    if beginning.has_results and run.earlier_id not in ("", run.id):
        if run.earlier_version == __version__:
            why = f"The assignment has changed since the results in {out} were made"
        else:
            why = f"Version {run.earlier_version} of the kit made the results in {out}; this is {__version__}"
        say(f"{why}: everything is graded again.")
    if beginning.edited:
        say(
            f"{RESULTS_FILE} was changed by hand: {_names(beginning.edited)}. Graded again; {EDITED_FILE} beside "
            f"it keeps the change. To change a mark, write it into {out / OVERRIDES_FILE}."
        )
    if beginning.limited:
        say(
            f"Graded again under other limits, which stopped them before: {_names(beginning.limited)}."
        )
    if beginning.withdrawn:
        say(
            f"The submission is gone, so {out / 'grades.csv'} leaves out: {_names(beginning.withdrawn)}. "
            "The results stay in their folders."
        )
    if beginning.elsewhere:
        others = beginning.elsewhere
        say(f"Results of other paths are kept ({len(others)}): {_first_names(others)}.")
    if beginning.roster:
        say(
            f"The last run had --roster {beginning.roster}, this run has none: names may differ, and nobody is listed "
            "as absent."
        )
    for line, override in beginning.overrides.unknown:
        say(
            f"{out / OVERRIDES_FILE}, line {line}: there is not exactly one student {one_line(override.student)!r}. "
            "The line is not applied."
        )


def tell_by_name(found: Iterable[HandIn]) -> None:
    """Print whom the roster knows by nothing but the name."""
    names = [submission.student for submission in found if submission.by_name]
    if names:
        say(
            f"Matched by name alone ({len(names)}): {_first_names(names)}. "
            "To be sure, add the platform's ids to the roster."
        )


def tell_end(
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
        say(f"Handed in nothing ({len(absent)}): {_names(person.name for person in absent)}")
    if not quiet and (mistakes := most_common_text(results)):
        say(mistakes)
    if pages:
        write_pages_of(out, quiet=quiet)
    if not quiet:
        say(f"Marks: {out / 'grades.csv'}   each student's: {out / '<student>' / 'results.json'}")
        if any(result.public for result in results):
            say(PUBLIC_WORDS)


def _names(students: Iterable[str]) -> str:
    return ", ".join(map(one_line, students))


def _first_names(students: Sequence[str]) -> str:
    more = len(students) - _LISTED
    return _names(students[:_LISTED]) + (f" and {more} more" if more > 0 else "")
