"""`autograder export csv`: one line for each student, for a spreadsheet or a script.

Those of the roster who handed in nothing have a line without a mark.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from autograder.reports.formats.format import Rendered
from autograder.reports.formats.marks import mark_of, number
from autograder.submission.directory import NOBODY
from autograder.text import harmless_cell

if TYPE_CHECKING:
    from autograder.reports.formats.format import Export
    from autograder.submission.directory import Person

HEADER = ("student", "id", "email", "score", "max_score", "percentage", "status", "late", "note")
ABSENT = "absent"


def write_csv(export: Export) -> Rendered:
    """Write one line for each student."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for row in _rows(export):
        writer.writerow([harmless_cell(cell) for cell in row])
    return Rendered(text.getvalue().encode("utf-8", "backslashreplace"))


def _rows(export: Export) -> list[list[str]]:
    graded = export.graded
    rows = []
    for result in graded.results:
        mark = mark_of(result)
        member = graded.members.get(result.student)
        person = member.person if member else NOBODY
        points = ["", number(mark.max_points), ""]
        if mark.points is not None and mark.percentage is not None:
            points = [number(mark.points), number(mark.max_points), number(mark.percentage)]
        late = "" if member is None else "yes" if member.late else "no"
        row = [result.student, main_id(person), person.email, *points]
        rows.append([*row, result.status.value, late, mark.note])
    for person in graded.absent:
        row = [person.name, main_id(person), person.email, "", "", ""]
        rows.append([*row, ABSENT, "", "handed in nothing"])
    return sorted(rows)


def main_id(person: Person) -> str:
    """Return the id of the roster's column `id`, or else the first id that is known."""
    return person.ids.get("id") or next(iter(person.ids.values()), "")
