"""`autograder export moodle`: fill Moodle's grading worksheet or grader report, or pack feedback files.

The worksheet of an assignment (View all submissions, Download grading worksheet):

    Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,...
    Participant 204000,Jane Doe,jane@example.org,Submitted for grading,,20.00,Yes,...

A grader report (Grades, Export) has a column for each activity. If FILE ends in `.zip`, it becomes
the archive for "Upload multiple feedback files in a zip": each student's feedback in a folder with
the name that Moodle gives to submissions.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.reports.exports.fill import Gradebook, choose_column, decimal_sign, fill
from autograder.reports.exports.format import Export, Format, Into, Rendered
from autograder.reports.exports.matching import Row
from autograder.reports.exports.raw_table import Cell, read_raw_table
from autograder.reports.pytest_text import full_text
from autograder.submission.person import Person
from autograder.submission.table import column_titles, parse_number
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autograder.reports.exports.raw_table import RawTable
    from autograder.results import Result

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
_DATE = (1980, 1, 1, 0, 0, 0)
_NOT_IN_NAMES = re.compile(r'[_/\\:*?"<>|]+')


def _render(export: Export) -> Rendered:
    assert export.into is not None
    if export.into.suffix.lower() == ".zip":
        return _feedback(export)
    if not export.into.is_file():
        raise UsageError(
            f"There is no {export.into}. Download the grading worksheet from Moodle first, or give the name of a "
            ".zip to pack feedback files."
        )
    table = read_raw_table(export.into)
    titles = column_titles(cell.text for cell in table.rows[0]) if table.rows else []
    first = [row[0].text.strip() for row in table.rows[1:]]
    worksheet = bool(first) and all(map(_PARTICIPANT.fullmatch, first))
    column = _column(export, table, titles, worksheet=worksheet)
    rows = {number: row for number, row in enumerate(table.rows) if number}
    maximum = _maximum(rows, titles)
    numbers = [
        cell.text
        for row in rows.values()
        for cell in (*row[column : column + 1], *_at(row, titles, _MAXIMUM))
    ]
    gradebook = Gradebook(
        table,
        column,
        tuple(
            Row(number, _person(row[:column], titles, worksheet)) for number, row in rows.items()
        ),
        maximum,
        frozenset(number for number, row in rows.items() if _is_locked(row, titles)),
        decimal_sign(numbers, table.delimiter),
    )
    return fill(export, gradebook)


def _column(export: Export, table: RawTable, titles: Sequence[str], *, worksheet: bool) -> int:
    """Return the number of the column to fill."""
    if worksheet and export.column is None:
        grades = [number for number, title in enumerate(titles) if title in _GRADE]
        if len(grades) == 1:
            return grades[0]
    given = {number: cell.text for number, cell in enumerate(table.rows[0])} if table.rows else {}
    known = (*_FULL_NAME, *_FIRST_NAME, *_LAST_NAME, *_ID)
    # A grader report names an activity with its kind and the kind of grade: "Assignment: Toy (Real)".
    columns = {
        number: _activity(title)
        for number, title in given.items()
        if number and titles[number] not in known
    }
    assignment = export.graded.results[0].assignment if export.graded.results else ""
    return choose_column(export, columns, assignment)


def _activity(title: str) -> str:
    inner = title.partition(":")[2] or title
    return re.sub(r"\s*\([^()]*\)\s*$", "", inner).strip()


def _at(row: Sequence[Cell], titles: Sequence[str], wanted: Sequence[str]) -> list[Cell]:
    return [cell for title, cell in zip(titles, row, strict=False) if title in wanted]


def _maximum(rows: Mapping[int, Sequence[Cell]], titles: Sequence[str]) -> dict[int, float]:
    found = {}
    for number, row in rows.items():
        for cell in _at(row, titles, _MAXIMUM):
            points = parse_number(cell.text)
            if points is not None:
                found[number] = points
    return found


def _is_locked(row: Sequence[Cell], titles: Sequence[str]) -> bool:
    return any(cell.text.strip().casefold() in _NO for cell in _at(row, titles, _CHANGEABLE))


def _person(cells: Sequence[Cell], titles: Sequence[str], worksheet: bool) -> Person:
    """Return whose row this is. Only the cells before the marks are looked at."""
    ids, email = {}, ""
    for title, cell in zip(titles, cells, strict=False):
        text = cell.text.strip()
        if _EMAIL.fullmatch(text):
            email = text
        elif title in _ID and text:
            ids["id"] = text
    if worksheet:
        participant = _PARTICIPANT.fullmatch(cells[0].text.strip())
        assert participant is not None
        ids["moodle"] = participant[1]
    full = _at(cells, titles, _FULL_NAME) or (list(cells[1:2]) if worksheet else [])
    parts = full or [*_at(cells, titles, _FIRST_NAME), *_at(cells, titles, _LAST_NAME)]
    return Person(" ".join(cell.text.strip() for cell in parts), ids, email)


def _feedback(export: Export) -> Rendered:
    """Return the archive of feedback files. Moodle knows a folder by the participant's number."""
    graded = export.graded
    data = io.BytesIO()
    without: list[str] = []
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for result in graded.results:
            member = graded.members.get(result.student)
            number = member.person.ids.get("moodle") if member else None
            if member is None or number is None:
                without.append(result.student)
                continue
            name = _NOT_IN_NAMES.sub(" ", member.person.name or result.student).strip()
            page = graded.folder / result.student / "feedback.html"
            file = "feedback.html" if page.is_file() else "feedback.txt"
            content = page.read_bytes() if page.is_file() else _text(result)
            path = f"{name}_{number}_assignsubmission_file_/{file}"
            archive.writestr(zipfile.ZipInfo(path, _DATE), content, zipfile.ZIP_DEFLATED)
    notes = [f"{len(graded.results) - len(without)} feedback files are in {export.into}."]
    if without:
        names = ", ".join(map(one_line, without))
        notes.append(
            f"Without a Moodle number, so not in it ({len(without)}): {names}. Grade Moodle's own download, or give "
            "its worksheet as --roster."
        )
    return Rendered(data.getvalue(), tuple(notes))


def _text(result: Result) -> bytes:
    head = f"{result.student}: {result.score:g} of {result.max_score:g} points"
    parts = [head, result.output, *map(full_text, result.checks)]
    return "\n\n".join(part.strip() for part in parts if part.strip()).encode("utf-8", "replace")


FORMAT = Format(
    "moodle",
    "Moodle's grading worksheet or grader report; a .zip becomes feedback files",
    Into.CREATED,
    _render,
)
