"""Print what `autograder grade` has to say about a class, before it is graded and after."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.commands.console import say
from autograder.commands.report import tell_notes
from autograder.reports.class_record import shown_names
from autograder.reports.formats.words import public_words
from autograder.reports.grades_csv import GRADES_FILE
from autograder.reports.terminal_table import legend, marks_table, notes
from autograder.results import Result, Status
from autograder.submission.times import read_time
from autograder.text import named_lists, one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from rich.console import Console

    from autograder.grading.run_seed import Run
    from autograder.reports.class_folder import ClassFolder
    from autograder.reports.graded_class import GradedClass
    from autograder.submission.naming import Identified

_LISTED = 10


def tell_beginning(folder: ClassFolder, run: Run, out: Path) -> None:
    """Print what is unusual about the folder of results. A new folder has nothing to tell."""
    if folder.has_results and run.earlier_id not in ("", run.id):
        if run.earlier_version == __version__:
            why = f"The assignment has changed since the results in {out} were made"
        else:
            why = f"Version {run.earlier_version} of the kit made the results in {out}; this is {__version__}"
        say(f"{why}: everything is graded again.")
    if folder.lateness and folder.lateness.deadline:
        say(f"The deadline, {folder.lateness.deadline}, and its rules are those of the last run.")
    now = {member.student for member in folder.members}
    gone = [student for student in folder.emptied if student not in now]
    _tell_lists(
        {
            f"Removed from {out}, as --fresh says, and not in these paths": gone,
            "Not in these paths, so their results stay": folder.others,
        }
    )
    if folder.others:
        path = shlex.quote(str(out / folder.others[0]))
        say(f"  To take one out, delete the folder: rm -r {path}")


def tell_who(who: Identified, unknown: Sequence[str], kind: str) -> None:
    """Print whose hand-ins are not certain, and which people and groups are not known.

    `unknown` are those in the list of groups who are not on the roster. `kind` is the list of the class, or empty.
    """
    by_name = [one.student for one in who.hand_ins if one.by_name and one.from_roster]
    nested = [place for one in who.hand_ins for place in one.nested]
    on_list = f"On {kind}, but not clear which person (an id as the name helps), so graded as named"
    _tell_lists(
        {
            "Of Canvas's test student, so not graded": who.teachers,
            "Inside another submission, so not graded": nested,
            "Matched by name alone": by_name,
            f"Not on {kind}, so graded as named": who.strangers if kind else (),
            on_list: [one.student for one in who.hand_ins if one.by_name and not one.from_roster],
            "Groups that handed in nothing": who.idle,
            "In no group": who.alone,
            "In the list of groups, but not exactly one person of the roster": unknown,
        }
    )


def tell_end(
    console: Console,
    results: Collection[Result],
    counts: str,
    folder: ClassFolder,
    graded: GradedClass,
    *,
    quiet: bool,
) -> None:
    """Print the table of marks, and whose marks are not settled yet.

    Args:
        results: those of this run.
        counts: how many results were kept and how many are new.
        graded: the class with all results.
        quiet: print only what was not graded.
    """
    if not quiet:
        console.print(marks_table(results, shown_names(graded.record.members)))
        say(legend(results))
        say(counts)
    noted = (result for result in results if not quiet or result.status is not Status.GRADED)
    for line in notes(noted):
        say(line)
    renamed = folder.renamed.items()
    left = [f"{one_line(name)}, now {one_line(new)}" for name, new in sorted(renamed)]
    _tell_lists({f"No longer in {graded.folder / GRADES_FILE}, graded under another name": left})
    _tell_unsettled(graded)
    tell_notes(graded)


def tell_places(results: Iterable[Result], out: Path) -> None:
    """Print where the marks are, and whether they are marks."""
    say(f"Marks: {out / GRADES_FILE}   each student's: {out / '<student>' / 'results.json'}")
    if words := public_words(*results):
        say(words)


def _tell_unsettled(graded: GradedClass) -> None:
    """Print who handed in nothing, and whose marks are not settled yet."""
    late = [one.student for one in graded.results if one.late and one.late.is_vague]
    record = graded.record
    timeless = [
        member.student
        for member in (record.members if record.lateness else ())
        if not member.late and read_time(member.handed_in) is None
    ]
    _tell_lists(
        {
            "Handed in nothing": [person.shown for person in record.absent],
            "Late without a time, so it costs nothing": late,
            "Without a time of hand-in, so the deadline was not applied": timeless,
            "With an answer that nobody has marked yet": _unmarked(graded, has_answer=True),
            "Without an answer to a question, and without a mark": _unmarked(
                graded, has_answer=False
            ),
        }
    )


def _unmarked(graded: GradedClass, *, has_answer: bool) -> list[str]:
    """Return the students with a question that waits for a mark, with or without an answer."""
    return [
        entry.result.student
        for entry in graded.entries
        if any((one in entry.answers) is has_answer for one in entry.result.unmarked)
    ]


def _tell_lists(lists: Mapping[str, Sequence[str]]) -> None:
    """Print each list of students or places that is not empty."""
    for line in named_lists(lists, _LISTED):
        say(line)
