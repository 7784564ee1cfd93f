"""Print what `autograder grade` has to say about a class, before it is graded and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder import __version__
from autograder.commands.console import say
from autograder.commands.report import write_pages_of
from autograder.grading.overrides import OVERRIDES_FILE
from autograder.reports.class_folder import EDITED_FILE
from autograder.reports.class_record import shown_names
from autograder.reports.common_mistakes import most_common_text
from autograder.reports.formats.words import PUBLIC_WORDS
from autograder.reports.gradescope_json import RESULTS_FILE
from autograder.reports.terminal_table import legend, marks_table, notes
from autograder.results import Result, Status
from autograder.text import first_of, one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from rich.console import Console

    from autograder.grading.run_seed import Run
    from autograder.reports.class_folder import Beginning, ClassFolder
    from autograder.submission.naming import Identified

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
    if beginning.roster:
        say(
            f"The last run had --roster {beginning.roster}, this run has none: names may differ, and nobody is listed "
            "as absent."
        )
    if beginning.lateness and beginning.lateness.deadline:
        say(f"The deadline and its rules are those of the last run: {beginning.lateness.words}.")
    _tell_places(beginning, out)


def _tell_places(beginning: Beginning, out: Path) -> None:
    """Print which earlier results were moved, left out or kept."""
    if beginning.moved:
        moved = [f"{old} is now {new}" for old, new in beginning.moved]
        say(
            f"Results were moved, since names or ids changed ({len(moved)}): {_first_names(moved)}."
        )
    if beginning.withdrawn:
        say(
            f"The submission is gone, so {out / 'grades.csv'} leaves out: {_names(beginning.withdrawn)}. "
            "The results stay in their folders."
        )
    if beginning.elsewhere:
        others = beginning.elsewhere
        say(f"Results of other paths are kept ({len(others)}): {_first_names(others)}.")


def tell_who(who: Identified, unknown: Sequence[str], kind: str) -> None:
    """Print whose hand-ins are not certain, and which people and groups are not known.

    `unknown` are those in the list of groups who are not on the roster. `kind` is the list of the class, or empty.
    """
    by_name = [one.student for one in who.hand_ins if one.by_name and one.from_roster]
    nested = [place for one in who.hand_ins for place in one.nested]
    lists = {
        "Inside another submission, so not graded": (nested, "Move them out, and grade again."),
        "Matched by name alone": (by_name, "To be sure, add the platform's ids to the roster."),
        f"Not on {kind}, so each is graded as one person": (
            who.strangers if kind else (),
            "Correct the list, or name the folder after an id in it.",
        ),
        f"On {kind}, but not clear which person, so each is graded under the given name": (
            [one.student for one in who.hand_ins if one.by_name and not one.from_roster],
            "Name the folder after an id in the list.",
        ),
        "In the list of groups, but not exactly one person of the roster": (unknown, ""),
    }
    for words, (names, advice) in lists.items():
        if names:
            say(f"{words} ({len(names)}): {_first_names(names)}. {advice}".rstrip())


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
    if absent := folder.absent:
        say(f"Handed in nothing ({len(absent)}): {_names(person.shown for person in absent)}")
    _tell_lists(folder)
    for words in folder.override_notes:
        say(f"{out / OVERRIDES_FILE}, {words}")
    if not quiet and (mistakes := most_common_text(results)):
        say(mistakes)
    if pages:
        write_pages_of(out, quiet=quiet)
    if not quiet:
        say(f"Marks: {out / 'grades.csv'}   each student's: {out / '<student>' / 'results.json'}")
        if any(result.public for result in results):
            say(PUBLIC_WORDS)


def _tell_lists(folder: ClassFolder) -> None:
    """Print whose marks are not settled yet."""
    lists = {
        "Late without a time, so it costs nothing": folder.vaguely_late,
        "Without a time of hand-in, so the deadline was not applied": folder.timeless,
        "With a question that nobody has marked yet": folder.unmarked,
    }
    for words, names in lists.items():
        if names:
            say(f"{words} ({len(names)}): {_first_names(sorted(names))}.")


def _names(students: Iterable[str]) -> str:
    return ", ".join(map(one_line, students))


def _first_names(students: Sequence[str]) -> str:
    return first_of(map(one_line, students), _LISTED)
