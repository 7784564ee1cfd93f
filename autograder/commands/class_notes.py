"""Print what `autograder grade` has to say about a class, before it is graded and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder import __version__
from autograder.commands.console import say
from autograder.commands.report import write_pages_of
from autograder.reports.class_record import shown_names
from autograder.reports.formats.words import PUBLIC_WORDS
from autograder.reports.terminal_table import legend, marks_table, notes
from autograder.results import Result, Status
from autograder.text import first_of, one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from rich.console import Console

    from autograder.grading.run_seed import Run
    from autograder.reports.class_folder import Beginning, ClassFolder
    from autograder.submission.naming import Identified

_LISTED = 10


def tell_beginning(beginning: Beginning, folder: ClassFolder, run: Run, out: Path) -> None:
    """Print what is unusual about the folder of results. A new folder has nothing to tell."""
    if folder.has_results and run.earlier_id not in ("", run.id):
        if run.earlier_version == __version__:
            why = f"The assignment has changed since the results in {out} were made"
        else:
            why = f"Version {run.earlier_version} of the kit made the results in {out}; this is {__version__}"
        say(f"{why}: everything is graded again.")
    if beginning.lateness and beginning.lateness.deadline:
        deadline = beginning.lateness.deadline
        say(f"The deadline, {deadline}, and its rules are those of the last run.")
    gone = f"Not in {out / 'grades.csv'}, since the submission is gone or has another name"
    _tell_lists({gone: beginning.withdrawn})
    _tell_lists({"Results of other paths are kept": beginning.elsewhere})


def tell_who(who: Identified, unknown: Sequence[str], kind: str) -> None:
    """Print whose hand-ins are not certain, and which people and groups are not known.

    `unknown` are those in the list of groups who are not on the roster. `kind` is the list of the class, or empty.
    """
    by_name = [one.student for one in who.hand_ins if one.by_name and one.from_roster]
    nested = [place for one in who.hand_ins for place in one.nested]
    on_list = f"On {kind}, but not clear which person (an id as the name helps), so graded as named"
    _tell_lists(
        {
            "Inside another submission, so not graded": nested,
            "Matched by name alone": by_name,
            f"Not on {kind}, so graded as named": who.strangers if kind else (),
            on_list: [one.student for one in who.hand_ins if one.by_name and not one.from_roster],
            "In the list of groups, but not exactly one person of the roster": unknown,
        }
    )


def tell_end(
    console: Console,
    results: Collection[Result],
    out: Path,
    counts: str,
    folder: ClassFolder,
    *,
    quiet: bool,
    pages: bool,
) -> None:
    """Print the table of marks, and write the pages.

    Args:
        out: the folder of results.
        counts: how many results were kept and how many are new.
        folder: the same folder, with the people of the class.
        quiet: print only what was not graded.
        pages: write the pages of results.
    """
    if not quiet:
        console.print(marks_table(results, shown_names(folder.members())))
        say(legend(results))
        say(counts)
    noted = (result for result in results if not quiet or result.status is not Status.GRADED)
    for line in notes(noted):
        say(line)
    _tell_unsettled(folder)
    for words in folder.override_notes:
        say(f"{out / words}")
    if pages:
        write_pages_of(out, quiet=quiet)
    if not quiet:
        say(f"Marks: {out / 'grades.csv'}   each student's: {out / '<student>' / 'results.json'}")
        if any(result.public for result in results):
            say(PUBLIC_WORDS)


def _tell_unsettled(folder: ClassFolder) -> None:
    """Print who handed in nothing, and whose marks are not settled yet."""
    _tell_lists(
        {
            "Handed in nothing": [person.shown for person in folder.absent],
            "Late without a time, so it costs nothing": sorted(folder.vaguely_late),
            "Without a time of hand-in, so the deadline was not applied": folder.timeless,
            "With a question that nobody has marked yet": sorted(folder.unmarked),
        }
    )


def _tell_lists(lists: Mapping[str, Sequence[str]]) -> None:
    """Print each list of students or places that is not empty."""
    for words, names in lists.items():
        if names:
            say(f"{words} ({len(names)}): {first_of(map(one_line, names), _LISTED)}.")
