"""Write the views of a class into its folder: `grades.csv` and the pages."""

from __future__ import annotations

import traceback
from functools import partial
from typing import TYPE_CHECKING

from autograder.files import write_whole
from autograder.reports.grades_csv import GRADES_FILE, dump_grades
from autograder.reports.pages.feedback_page import FEEDBACK_FILE, feedback_page
from autograder.reports.pages.report_page import REPORT_FILE, report_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from autograder.reports.graded_class import GradedClass


def write_views(graded: GradedClass) -> list[str]:
    """Write `grades.csv`, each student's `feedback.html` and `report.html`.

    Returns the tracebacks of bugs: a page that cannot be made is left out.
    """
    write_whole(graded.folder / GRADES_FILE, dump_grades(graded.entries))
    pages = {graded.folder / REPORT_FILE: partial(report_page, graded)}
    for entry in graded.entries:
        pages[graded.folder / entry.result.student / FEEDBACK_FILE] = partial(feedback_page, entry)
    return [bug for path, make in pages.items() if (bug := _write_page(path, make))]


def write_anonymous(graded: GradedClass, out: Path) -> list[str]:
    """Write only the report, without names, ids and links; return the tracebacks of bugs."""
    bug = _write_page(out / REPORT_FILE, partial(report_page, graded, anonymous=True))
    return [bug] if bug else []


def _write_page(path: Path, make: Callable[[], bytes]) -> str:
    """Write a page. If it cannot be made, there is none, and the traceback is returned."""
    try:
        page = make()
    except Exception as bug:  # noqa: BLE001 - one page must not cost the others
        path.unlink(missing_ok=True)
        return "".join(traceback.format_exception(bug))
    write_whole(path, page)
    return ""
