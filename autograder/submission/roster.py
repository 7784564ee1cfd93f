"""Read the people of a table: the instructor's own list (`--roster FILE`), a gradebook, or a worksheet.

Any table with a line of titles is a roster, so Canvas's exported gradebook, Moodle's worksheet and grader report, and
GitHub Classroom's roster work too. Known titles, in the languages of Moodle's worksheets, are titles for a name, an
e-mail address, a group, a deadline and ids; every other column whose title contains a word such as id, login or user
name holds a further id. A worksheet without names, for blind marking, has the ids of participants.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.submission.directory import NOBODY, PLATFORMS, Directory, Person
from autograder.submission.table import read_table
from autograder.submission.times import read_time
from autograder.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.submission.table import Row, Table

# Titles of columns in English, German, French, Spanish, Italian, Dutch and Portuguese, as in Moodle's worksheets.
# Beside the status, Moodle writes `Extension granted until: Friday, 8 May 2026, 11:59 PM`.
TITLES = {
    kind: tuple(titles.split("|"))
    for kind, titles in {
        "name": (
            "name|full name|student|student name|display name|first name / last name|vollständiger name|"
            "nom complet|nombre completo|nome completo|volledige naam"
        ),
        "first": "first name|firstname|given name|forename|first|vorname|prénom|nombre|nome|voornaam",
        "last": (
            "last name|lastname|surname|family name|last|nachname|nom|nom de famille|apellido(s)|apellidos|"
            "cognome|achternaam|sobrenome|apelido"
        ),
        "email": "email|e-mail|email address|e-mail address|mail",
        "group": "group|group name|team|gruppe|groupe|grupo|gruppo|groep",
        "deadline": (
            "deadline|due date|due|extension|fälligkeitsdatum|abgabetermin|date de remise|fecha de entrega|"
            "data di consegna|inleverdatum|data de entrega"
        ),
        "submitted": (
            "submitted|handed in|last modified (submission)|zuletzt geändert (abgabe)|"
            "dernière modification (travail remis)|dernière modification (remise)|"
            "última modificación (entrega)|ultima modifica (consegna)|laatst gewijzigd (inzending)|"
            "última modificação (envio)"
        ),
        "status": "status|statut|estado|stato",
        "id": (
            "id|student id|sid|id number|student number|matriculation number|id-nummer|matrikelnummer|"
            "numéro d'identification|número de id|numero id|número de identificação|codice identificativo"
        ),
        "identifier": "identifier|identifiant|identificador|identificativo",
        "grade": "grade|bewertung|note|calificación|valutazione|beoordeling|cijfer|nota",
        "maximum": (
            "maximum grade|bestwertung|note maximale|calificación máxima|valutazione massima|maximum cijfer|"
            "maximumcijfer|nota máxima"
        ),
        "changeable": (
            "grade can be changed|bewertung kann geändert werden|la note peut être modifiée|"
            "la calificación puede ser cambiada|la valutazione può essere modificata|"
            "cijfer kan gewijzigd worden|a nota pode ser alterada"
        ),
    }.items()
}
_NO_IDS = tuple(title for kind in ("name", "first", "last", "email") for title in TITLES[kind])
NO_MARKS = (*_NO_IDS, *TITLES["id"])
_ANY_EMAIL = re.compile(r"mail|courriel|correo|courrier|почт|пошт|メール|邮件|郵件")
# What Moodle's worksheet has in that column for who is in no group.
_NO_GROUP = re.compile(
    r"default group|standardgruppe|groupe par défaut|grupo (?:por defecto|predeterminado)|gruppo predefinito"
    r"|standaardgroep|not a member of any group.*|member of more than one group.*",
    re.IGNORECASE,
)
_MORE_IDS = re.compile(r"\b(?:id|ids|sid|login|user ?name|user|identifier|github|lms)\b")
_PARTICIPANT = re.compile(r"\D*?(\d+)")
# The worksheet's first column: Participant 204000, Teilnehmer/in204000.
_NAMED_PARTICIPANT = re.compile(r"[^\W\d][^\d@]*?\d+")
# A column of marks: Canvas's `Toy (4711)`, and `Assignment: Toy (Real)` in Moodle's grader report.
ASSIGNMENT = re.compile(r".*\(\d+\)\s*", re.DOTALL)
_ACTIVITY = re.compile(r".+:.*\(.+\)\s*", re.DOTALL)
# Rows of Canvas's gradebook that are no students.
POSSIBLE = "points possible"
_NO_STUDENTS = (POSSIBLE, "student, test")


def read_people(table: Table) -> dict[int, Person]:
    """Return the people of a table, by the numbers of their rows."""
    kinds = is_worksheet(table), _is_canvas(table)
    people = {number: _person(table, row, *kinds) for number, row in table.body.items()}
    return {number: person for number, person in people.items() if person != NOBODY}


def is_worksheet(table: Table) -> bool:
    """Return whether a table is Moodle's worksheet: it has a participant in the first cell of each row.

    A list of one's own may have ids such as `student7` there, but not the titles that only Moodle has.
    """
    titles, cells = {*table.titles}, [row.at(0) for row in table.body.values()]
    moodles = not titles.isdisjoint((*TITLES["identifier"], *TITLES["maximum"]))
    unknown = titles.isdisjoint(NO_MARKS)
    return bool(cells) and (moodles or unknown) and all(map(_NAMED_PARTICIPANT.fullmatch, cells))


def _person(table: Table, row: Row, worksheet: bool, canvas: bool) -> Person:
    """Return whose row this is; NOBODY if it is no student's."""
    names, first, last = (_cell(table, row, kind) for kind in ("name", "first", "last"))
    if worksheet and not {*table.titles[1:2]} & {*TITLES["status"], *TITLES["grade"]}:
        names = names or row.at(1)  # in a language that is not known
    name = names or (row.at(0) if canvas else f"{first} {last}".strip())
    if name.casefold() in _NO_STUDENTS:
        return NOBODY
    if "," in name and not (first or last):
        last, _, first = (part.strip() for part in name.partition(","))
        name = f"{first} {last}".strip()
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    emails = (
        text
        for title, text in zip(table.titles, row.cells, strict=False)
        if _ANY_EMAIL.search(title) and "@" in text
    )
    email = _cell(table, row, "email") or next(emails, "")
    return Person(name, dict(_ids(table, row, worksheet, canvas)), email, last)


def _is_canvas(table: Table) -> bool:
    sis = not {"sis login id", "sis user id"}.isdisjoint(table.titles)
    return sis or (table.titles[1:2] == ["id"] and any(map(ASSIGNMENT.fullmatch, table.heads)))


def _ids(table: Table, row: Row, worksheet: bool, canvas: bool) -> Iterator[tuple[str, str]]:
    sis_ids = ("sis user id",) * canvas + ("user id",) * ("canvas group id" in table.titles)
    for column, (title, value) in enumerate(zip(table.titles, row.cells, strict=False)):
        marks = ASSIGNMENT.fullmatch(title) or _ACTIVITY.fullmatch(title)
        if not value or marks or title in _NO_IDS or "group" in title.split():
            continue  # a group's id is nobody's
        platform = next((kind for kind, known in PLATFORMS.items() if title in known), None)
        number = _PARTICIPANT.fullmatch(value)
        if platform == "moodle" or (worksheet and not column):
            yield "moodle", number[1] if number else value
        elif platform:
            yield platform, value
        elif canvas and title == "id":
            yield "canvas", value
        elif title in (*TITLES["id"], *sis_ids):
            yield "id", value
        elif _MORE_IDS.search(title):
            yield title, value


def _cell(table: Table, row: Row, kind: str) -> str:
    return next(filter(None, table.texts(row, TITLES[kind])), "")


def read_roster(path: Path, *, has_groups: bool = False) -> Directory:
    """Read a roster. A column for groups counts in Moodle's worksheet, or if students hand in by it (`has_groups`).

    Raises UsageError if the file cannot be read, has no people, gives one id to two students, or has a deadline that
    cannot be read.
    """
    table = read_table(path)
    worksheet = is_worksheet(table)
    people, submitted = {}, {}
    for number, person in read_people(table).items():
        row = table.rows[number]
        group = _cell(table, row, "group") if has_groups or worksheet else ""
        group = "" if worksheet and _NO_GROUP.fullmatch(group) else group
        people[row.line] = replace(person, group=group, deadline=_deadline(path, table, row))
        if when := _cell(table, row, "submitted"):
            submitted[row.line] = when
    if not people:
        raise UsageError(
            f"{path} has no column with names or ids, or no line below its titles. Its first line must hold titles, "
            "such as: id,name,email"
        )
    roster = Directory(people, submitted)
    for kind in ("id", *PLATFORMS):
        for value, lines in roster.equal_ids(kind):
            raise UsageError(
                f"{path}, lines {' and '.join(map(str, lines))}: {len(lines)} students have the same {kind} "
                f"{value!r}. Correct the roster and run the command again."
            )
    return roster


def _deadline(path: Path, table: Table, row: Row) -> str:
    """Return the deadline of one student in ISO 8601, the latest that is there; empty if it is that of the class.

    A day alone ends at midnight. Raises UsageError if a text in a column for deadlines is no time.
    """
    times = []
    for text in table.texts(row, TITLES["deadline"]):
        times.append(read_time(text) or read_time(f"{text} 23:59"))
        if times[-1] is None and any(map(str.isdigit, text)):
            raise UsageError(
                f"{path}, line {row.line}: {one_line(text)!r} is no deadline. Write it as 2026-05-08T23:59."
            )
    times += map(read_time, table.texts(row, TITLES["status"]))
    latest = max(filter(None, times), key=lambda time: time.replace(tzinfo=None), default=None)
    return latest.isoformat() if latest else ""


def read_groups(path: Path, roster: Directory | None) -> tuple[Directory, tuple[str, ...]]:
    """Return the class with the groups of a table, and those in the table who are not exactly one of the roster.

    The table is a roster with a column for the group: `groups.csv` (group, student), where a student may be a name or
    an id; Canvas's export of groups; Moodle's worksheet. Without a roster, it is the class.

    Raises UsageError if the table names no groups, or names a student in two.
    """
    table = read_roster(path, has_groups=True)
    groups = {line: person.group for line, person in table.people.items() if person.group}
    if not groups:
        raise UsageError(
            f"{path} names no groups. Its first line must hold titles, such as: group,student"
        )
    if roster is None:
        return table, ()
    lines: dict[int, tuple[int, str]] = {}
    unknown = []
    for line, group in groups.items():
        person = table.people[line]
        meant, _ = roster.find(replace(person, ids={**person.ids, "folder": person.name}))
        if len(meant) != 1:
            unknown.append(person.name)
            continue
        other = lines.setdefault(meant[0], (line, group))
        if other[1] != group:
            raise UsageError(
                f"{path}, lines {other[0]} and {line}: {person.name} is in two groups, {other[1]!r} and {group!r}. "
                "Correct the table and run the command again."
            )
    return roster.with_groups({line: group for line, (_, group) in lines.items()}), tuple(unknown)
