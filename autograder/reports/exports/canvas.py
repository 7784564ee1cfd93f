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
from autograder.reports.exports.fill import Gradebook, choose_column, decimal_sign, fill
from autograder.reports.exports.format import Export, Format, Into, Rendered
from autograder.reports.exports.matching import Row
from autograder.reports.exports.raw_table import Cell, read_raw_table
from autograder.submission.person import Person
from autograder.submission.table import column_titles, parse_number

if TYPE_CHECKING:
    from collections.abc import Sequence

_ASSIGNMENT = re.compile(r".*\(\d+\)\s*", re.DOTALL)
_READ_ONLY = "(read only)"
_KINDS = {"id": "canvas", "sis user id": "id", "sis login id": "login"}
_TEST_STUDENT = "student, test"
_FEWEST_COLUMNS = 3


def _render(export: Export) -> Rendered:
    assert export.into is not None
    table = read_raw_table(export.into)
    titles = [cell.text for cell in table.rows[0]] if table.rows else []
    columns = {number: title for number, title in enumerate(titles) if _ASSIGNMENT.fullmatch(title)}
    if len(titles) < _FEWEST_COLUMNS or not columns:
        raise UsageError(
            f"{export.into} is no gradebook of Canvas: no column has the number of an assignment in its title. "
            "In Canvas: Grades, Export, Export Entire Gradebook."
        )
    first = min(columns)
    kinds = column_titles(titles[:first])
    students = {
        number: row for number, row in enumerate(table.rows) if number and _is_student(row, first)
    }
    heads = [row for number, row in enumerate(table.rows) if number and number not in students]
    fillable = {
        number: title for number, title in columns.items() if not _is_read_only(heads, number)
    }
    assignment = export.graded.results[0].assignment if export.graded.results else ""
    column = choose_column(export, fillable, assignment)
    maximum = next((points for row in heads if (points := _number(row, column)) is not None), None)
    numbers = [cell.text for row in table.rows[1:] for cell in row[first:]]
    gradebook = Gradebook(
        table,
        column,
        tuple(Row(number, _person(row, kinds)) for number, row in students.items()),
        {} if maximum is None else dict.fromkeys(students, maximum),
        frozenset(),
        decimal_sign(numbers, table.delimiter),
    )
    return fill(export, gradebook)


def _is_student(row: Sequence[Cell], first: int) -> bool:
    """Return whether a row is a student's: rows of maximum points and of posting policies have no id."""
    ids = any(cell.text.strip() for cell in row[1 : first - 1])
    return ids and row[0].text.strip().casefold() != _TEST_STUDENT


def _is_read_only(heads: Sequence[Sequence[Cell]], column: int) -> bool:
    return any(
        column < len(row) and row[column].text.strip().casefold() == _READ_ONLY for row in heads
    )


def _number(row: Sequence[Cell], column: int) -> float | None:
    return parse_number(row[column].text) if column < len(row) else None


def _person(row: Sequence[Cell], kinds: Sequence[str]) -> Person:
    ids = {}
    for kind, cell in zip(kinds[1:], row[1:], strict=False):
        if cell.text.strip() and (kind in _KINDS or "id" in kind.split()):
            ids[_KINDS.get(kind, kind)] = cell.text.strip()
    return Person(row[0].text.strip(), ids)


FORMAT = Format("canvas", "a column of the gradebook that Canvas exported", Into.FILLED, _render)
