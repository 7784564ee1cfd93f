"""`autograder export canvas`: fill a column of the gradebook that Canvas exported.

    Student,ID,SIS User ID,SIS Login ID,Section,Self attention (4711),Current Score
        Points Possible,,,,,20,(read only)
    "Doe, Jane",1234,0017,jdoe,Group 1,,

Canvas imports the file again: it finds the column by the number in its title, and leaves blank cells
as they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.reports.formats.gradebook import Gradebook, choose_column, fill
from autograder.submission.roster import ASSIGNMENT, POSSIBLE, read_people
from autograder.submission.table import parse_number, read_table

if TYPE_CHECKING:
    from autograder.reports.formats.format import Export, Rendered

_READ_ONLY = "(read only)"
_FEWEST_COLUMNS = 3


def fill_canvas(export: Export) -> Rendered:
    """Fill a column of the gradebook. Raises UsageError if the file is none, or if the column is not clear."""
    assert export.into is not None
    table = read_table(export.into)
    columns = {at: title for at, title in enumerate(table.heads) if ASSIGNMENT.fullmatch(title)}
    if len(table.heads) < _FEWEST_COLUMNS or not columns:
        raise UsageError(
            f"{export.into} is no gradebook of Canvas: no column has the number of an assignment in its title. "
            "In Canvas: Grades, Export, Export Entire Gradebook."
        )
    people = read_people(table)
    possible = [row for row in table.body.values() if row.at(0).casefold() == POSSIBLE]
    fillable = {
        number: title
        for number, title in columns.items()
        if all(row.at(number).casefold() != _READ_ONLY for row in possible)
    }
    column = choose_column(export, fillable)
    most = [points for row in possible if (points := parse_number(row.at(column))) is not None]
    numbers = [text for row in table.rows[1:] for text in row.cells[min(columns) :]]
    maximum = dict.fromkeys(people, most[0]) if most else {}
    return fill(export, Gradebook(table, column, people, maximum, numbers))
