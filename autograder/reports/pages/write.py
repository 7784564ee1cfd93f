"""Write the pages of a results folder, from the files in that folder alone."""

from __future__ import annotations

import traceback
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from autograder.files import write_whole
from autograder.reports.class_record import ClassRecord, relative
from autograder.reports.graded_class import load_folders, merged
from autograder.reports.grades_csv import GRADES_FILE, GradesTable
from autograder.reports.gradescope_json import RESULTS_FILE, dump_results
from autograder.reports.pages.feedback_page import FEEDBACK_FILE, feedback_page
from autograder.reports.pages.report_page import REPORT_FILE, report_page
from autograder.results import steps_of
from autograder.submission.directory import still_absent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from autograder.reports.graded_class import Entry, GradedClass


def write_pages(
    folders: Sequence[Path], out: Path, keep: str = "best", *, anonymous: bool = False
) -> list[str]:
    """Write into `out` each student's `feedback.html` and the `report.html` of the results in the folders.

    Args:
        folders: the results, in the order of the tries.
        out: the only folder, or a new one, which gets the results that are kept too.
        keep: the `best` or the `last` try of each student.
        anonymous: write only the report, without names, ids and links.

    Returns the tracebacks of bugs: a page that cannot be made is left out. Raises UsageError if a folder holds no
    results.
    """
    loaded = load_folders(folders)
    entries = merged(loaded, keep)
    pages = {out / REPORT_FILE: partial(report_page, loaded, entries, anonymous=anonymous)}
    if not anonymous:
        if len(folders) > 1 or out.resolve() != folders[0].resolve():
            _write_results(loaded, entries, out)
        for entry in entries:
            pages[out / entry.result.student / FEEDBACK_FILE] = partial(feedback_page, entry)
    return [bug for path, make in pages.items() if (bug := _write_page(path, make))]


def _write_page(path: Path, make: Callable[[], bytes]) -> str:
    """Write a page. If it cannot be made, there is none, and the traceback is returned."""
    try:
        page = make()
    except Exception as bug:  # noqa: BLE001 - one page must not cost the others
        path.unlink(missing_ok=True)
        return "".join(traceback.format_exception(bug))
    write_whole(path, page)
    return ""


def _write_results(folders: Sequence[GradedClass], entries: Sequence[Entry], out: Path) -> None:
    """Write the results that are kept, and the tables of the class."""
    for entry in entries:
        place = out / entry.result.student / RESULTS_FILE
        write_whole(place, dump_results(entry.result))
    results = [entry.result for entry in entries]
    table = GradesTable(steps_of(results))
    for entry in entries:
        table.add(entry.result, entry.person)
    write_whole(out / GRADES_FILE, table.dump())
    members = [
        replace(entry.member, path=relative(entry.member.path, out))
        for entry in entries
        if entry.member
    ]
    absent = {
        (person.shown, person.main_id): person for folder in folders for person in folder.absent
    }
    ClassRecord(
        assignment=entries[0].result.assignment,
        run="",
        by_student={member.student: member for member in members},
        absent=still_absent(absent.values(), (member.person for member in members)),
    ).write(out)
