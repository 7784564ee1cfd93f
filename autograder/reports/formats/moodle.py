"""`autograder export moodle`: fill Moodle's grading worksheet or grader report.

The worksheet of an assignment (View all submissions, Download grading worksheet):

    Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,...
    Participant 204000,Jane Doe,jane@example.org,Submitted for grading,,20.00,Yes,...

A grader report (Grades, Export) has a column for each activity.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from autograder.reports.formats.gradebook import Gradebook, choose_column, fill
from autograder.submission.roster import NO_MARKS, TITLES, is_worksheet, read_people
from autograder.submission.table import parse_number, read_table

if TYPE_CHECKING:
    from autograder.reports.formats.format import Export, Rendered
    from autograder.submission.table import Table

_NO = ("no", "nein", "non", "nee", "não", "0")


def fill_moodle(export: Export) -> Rendered:
    """Fill a worksheet or a grader report. Raises UsageError if FILE is none of these."""
    assert export.into is not None
    table = read_table(export.into)
    rows = table.body
    column = _column(export, table, worksheet=is_worksheet(table))
    most = {number: table.texts(row, TITLES["maximum"]) for number, row in rows.items()}
    gradebook = Gradebook(
        table,
        column,
        read_people(table),
        {
            number: points
            for number, texts in most.items()
            for points in map(parse_number, texts)
            if points is not None
        },
        [text for number, row in rows.items() for text in (row.at(column), *most[number])],
        frozenset(
            number
            for number, row in rows.items()
            if any(text.casefold() in _NO for text in table.texts(row, TITLES["changeable"]))
        ),
    )
    return fill(export, gradebook)


def _column(export: Export, table: Table, *, worksheet: bool) -> int:
    """Return the number of the column to fill."""
    if worksheet and export.column is None:
        grades = [number for number, title in enumerate(table.titles) if title in TITLES["grade"]]
        if len(grades) == 1:
            return grades[0]
    # A grader report names an activity with its kind and the kind of grade: "Assignment: Toy (Real)".
    columns = {
        number: _activity(title)
        for number, title in enumerate(table.heads)
        if number and table.titles[number] not in NO_MARKS
    }
    return choose_column(export, columns)


def _activity(title: str) -> str:
    inner = title.partition(":")[2] or title
    return re.sub(r"\s*\([^()]*\)\s*$", "", inner).strip()
