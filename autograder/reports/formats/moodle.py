"""`autograder export moodle`: fill Moodle's grading worksheet or grader report, or pack feedback files.

The worksheet of an assignment (View all submissions, Download grading worksheet):

    Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,...
    Participant 204000,Jane Doe,jane@example.org,Submitted for grading,,20.00,Yes,...

A grader report (Grades, Export) has a column for each activity. If FILE ends in `.zip`, it becomes
the archive for "Upload multiple feedback files in a zip".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.reports.formats.feedback_files import pack_for_moodle
from autograder.reports.formats.gradebook import Gradebook, choose_column, fill
from autograder.submission.directory import Person
from autograder.submission.table import parse_number, read_table

if TYPE_CHECKING:
    from autograder.reports.formats.format import Export, Rendered
    from autograder.submission.table import Row, Table

# The titles of the worksheet in the languages in which they are known.
_GRADE = ("grade", "bewertung", "note", "calificación", "valutazione", "beoordeling", "nota")
_MAXIMUM = (
    "maximum grade",
    "bestwertung",
    "note maximale",
    "calificación máxima",
    "valutazione massima",
    "maximum cijfer",
)
_CHANGEABLE = (
    "grade can be changed",
    "bewertung kann geändert werden",
    "la note peut être modifiée",
    "la calificación puede ser cambiada",
)
_NO = ("no", "nein", "non", "nee", "não", "0")
_FULL_NAME = ("full name", "vollständiger name", "nom complet", "nombre completo", "name")
_FIRST_NAME = ("first name", "vorname", "prénom", "nombre")
_LAST_NAME = (
    "last name",
    "surname",
    "nachname",
    "nom de famille",
    "nom",
    "apellido(s)",
    "apellidos",
)
_ID = ("id number", "id-nummer", "numéro d'identification", "número de id")
# The worksheet's first column: Participant 204000, Teilnehmer/in204000.
_PARTICIPANT = re.compile(r"[^\W\d][^\d@]*?(\d+)")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")


def fill_moodle(export: Export) -> Rendered:
    """Fill a worksheet or a grader report, or pack feedback files. Raises UsageError if FILE is none of these."""
    assert export.into is not None
    if export.into.suffix.lower() == ".zip":
        return pack_for_moodle(export)
    if not export.into.is_file():
        raise UsageError(
            f"There is no {export.into}. Download the grading worksheet from Moodle first, or give the name of a "
            ".zip to pack feedback files."
        )
    table = read_table(export.into)
    rows = table.body
    worksheet = bool(rows) and all(_PARTICIPANT.fullmatch(row.at(0)) for row in rows.values())
    column = _column(export, table, worksheet=worksheet)
    most = {number: table.texts(row, _MAXIMUM) for number, row in rows.items()}
    gradebook = Gradebook(
        table,
        column,
        {number: _person(table, row, column, worksheet) for number, row in rows.items()},
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
            if any(text.casefold() in _NO for text in table.texts(row, _CHANGEABLE))
        ),
    )
    return fill(export, gradebook)


def _column(export: Export, table: Table, *, worksheet: bool) -> int:
    """Return the number of the column to fill."""
    if worksheet and export.column is None:
        grades = [number for number, title in enumerate(table.titles) if title in _GRADE]
        if len(grades) == 1:
            return grades[0]
    known = (*_FULL_NAME, *_FIRST_NAME, *_LAST_NAME, *_ID)
    # A grader report names an activity with its kind and the kind of grade: "Assignment: Toy (Real)".
    columns = {
        number: _activity(title)
        for number, title in enumerate(table.heads)
        if number and table.titles[number] not in known
    }
    return choose_column(export, columns)


def _activity(title: str) -> str:
    inner = title.partition(":")[2] or title
    return re.sub(r"\s*\([^()]*\)\s*$", "", inner).strip()


def _person(table: Table, row: Row, marks: int, worksheet: bool) -> Person:
    """Return whose row this is. Only the cells before the column of `marks` are looked at."""
    emails = [text for text in row.cells[:marks] if _EMAIL.fullmatch(text)]
    numbers = [text for text in table.texts(row, _ID, marks) if text and text not in emails]
    ids = {"id": numbers[-1]} if numbers else {}
    if worksheet:
        participant = _PARTICIPANT.fullmatch(row.at(0))
        assert participant is not None
        ids["moodle"] = participant[1]
    names = table.texts(row, _FULL_NAME, marks) or [row.at(1)] * worksheet
    if not names:
        parts = (table.texts(row, titles, marks) for titles in (_FIRST_NAME, _LAST_NAME))
        names = [text for texts in parts for text in texts]
    return Person(" ".join(names), ids, emails[-1] if emails else "")
