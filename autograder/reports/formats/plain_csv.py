"""`autograder export csv`: one line for each student, for a spreadsheet or a script.

Those of the roster who handed in nothing have a line without a mark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.reports.formats.format import Rendered
from autograder.reports.formats.words import why_blank
from autograder.reports.grades_csv import csv_bytes, late_cell
from autograder.results import points_number
from autograder.text import harmless_cell

if TYPE_CHECKING:
    from autograder.reports.formats.format import Export
    from autograder.reports.graded_class import Entry
    from autograder.submission.directory import Person

HEADER = ("student", "id", "email", "score", "max_score", "percentage", "status", "late", "note")
ABSENT = "absent"


def write_csv(export: Export) -> Rendered:
    """Write one line for each student."""
    rows = [*map(_row, export.graded.entries), *map(_absent, export.graded.record.absent)]
    return Rendered(csv_bytes([HEADER, *(map(harmless_cell, row) for row in sorted(rows))]))


def _row(entry: Entry) -> list[str]:
    result, member = entry.result, entry.member
    why, most, share = why_blank(result), result.max_score, 0.0
    if most:
        share = 100 * result.score / most
    points = [str(points_number(number)) for number in (result.score, most, share)]
    if why:
        points = ["", points[1], ""]
    note = why or (result.late.text if result.late else "")
    late = "" if member is None else "yes" if member.late or late_cell(result) else "no"
    who = [result.student, entry.person.main_id, entry.person.email]
    return [*who, *points, result.status.value, late, note]


def _absent(person: Person) -> list[str]:
    who = [person.name, person.main_id, person.email]
    return [*who, "", "", "", ABSENT, "", "handed in nothing"]
