"""`autograder export canvas`: fill a column of the gradebook that Canvas exported.

    Student,ID,SIS User ID,SIS Login ID,Section,Self attention (4711),Current Score
        Points Possible,,,,,20,(read only)
    "Doe, Jane",1234,0017,jdoe,Group 1,,

Canvas imports the file again: it finds the column by the number in its title, and leaves blank cells
as they were.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.reports.formats.gradebook import Gradebook, choose_column, fill
from autograder.submission.directory import Person
from autograder.submission.table import parse_number, read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.reports.formats.format import Export, Rendered
    from autograder.submission.table import Row

_ASSIGNMENT = re.compile(r".*\(\d+\)\s*", re.DOTALL)
_READ_ONLY = "(read only)"
_KINDS = {"id": "canvas", "sis user id": "id", "sis login id": "login"}
_TEST_STUDENT = "student, test"
_FEWEST_COLUMNS = 3


def fill_canvas(export: Export) -> Rendered:
    """Fill a column of the gradebook. Raises UsageError if the file is none, or if the column is not clear."""
    assert export.into is not None
    table = read_table(export.into)
    columns = {at: title for at, title in enumerate(table.heads) if _ASSIGNMENT.fullmatch(title)}
    if len(table.heads) < _FEWEST_COLUMNS or not columns:
        raise UsageError(
            f"{export.into} is no gradebook of Canvas: no column has the number of an assignment in its title. "
            "In Canvas: Grades, Export, Export Entire Gradebook."
        )
    first = min(columns)
    students = {number: row for number, row in table.body.items() if _is_student(row, first)}
    heads = [row for number, row in table.body.items() if number not in students]
    computed = {
        number
        for number in columns
        if any(row.at(number).casefold() == _READ_ONLY for row in heads)
    }
    fillable = {number: title for number, title in columns.items() if number not in computed}
    column = choose_column(export, fillable)
    maximum = (parse_number(row.at(column)) for row in heads)
    most = next((points for points in maximum if points is not None), None)
    kinds = table.titles[:first]
    gradebook = Gradebook(
        table,
        column,
        {number: _person(row, kinds) for number, row in students.items()},
        {} if most is None else dict.fromkeys(students, most),
        [text for row in table.rows[1:] for text in row.cells[first:]],
    )
    return fill(export, gradebook)


def _is_student(row: Row, first: int) -> bool:
    """Return whether a row is a student's: rows of maximum points and of posting policies have no id."""
    return any(row.cells[1 : first - 1]) and row.at(0).casefold() != _TEST_STUDENT


def _person(row: Row, kinds: Sequence[str]) -> Person:
    ids = {
        _KINDS.get(kind, kind): row.at(column)
        for column, kind in enumerate(kinds)
        if column and row.at(column) and (kind in _KINDS or "id" in kind.split())
    }
    return Person(row.at(0), ids)
