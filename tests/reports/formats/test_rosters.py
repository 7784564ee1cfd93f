"""Each table that an export fills is a roster, too: the same reader finds the same people in it."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

from autograder.errors import UsageError
from autograder.submission.directory import Person
from autograder.submission.roster import read_roster
from tests.reports.formats.test_gradebooks import fill, plain

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytestmark = pytest.mark.unit

JANE = {"moodle": "41", "id": "007"}
WORKSHEETS = {
    "english": ("Identifier,Full name,ID number,Email address,Status,Grade,Maximum Grade",
        "Participant 41"),
    "german": ("ID,Vollständiger Name,ID-Nummer,E-Mail-Adresse,Status,Bewertung,Bestwertung",
        "Teilnehmer/in41"),
    "french": (
        "Identifiant,Nom complet,Numéro d'identification,Adresse de courriel,Statut,Note,Note maximale",
        "Participant 41"),
    "spanish": (
        "Identificador,Nombre completo,Número de ID,Dirección de correo,Estado,Calificación,Calificación máxima",
        "Participante 41"),
    "italian": (
        "Identificativo,Nome completo,Codice identificativo,Indirizzo email,Stato,Valutazione,Valutazione massima",
        "Partecipante 41"),
    "dutch": ("Identifier,Volledige naam,ID-nummer,E-mailadres,Status,Cijfer,Maximumcijfer",
        "Deelnemer 41"),
    "portuguese": (
        "Identificador,Nome completo,Número de identificação,Endereço de email,Status,Nota,Nota máxima",
        "Participante 41"),
}  # fmt: skip


def filled(
    name: str, path: Path, people: Mapping[int, Person], column: str | None = None
) -> list[str]:
    known = [plain(f"s{line}", person, 1.5) for line, person in people.items()]
    data = fill(name, path, known, column=column).data
    before, after = (
        [*csv.reader(io.StringIO(text.decode()))] for text in (path.read_bytes(), data)
    )
    return [
        new
        for old_row, new_row in zip(before, after, strict=True)
        for old, new in zip(old_row, new_row, strict=True)
        if old != new
    ]


@pytest.mark.parametrize("language", WORKSHEETS)
@pytest.mark.parametrize("blind", [False, True])
def test_a_worksheet_in_each_language_is_filled_and_is_a_roster(
    tmp_path: Path, language: str, blind: bool
) -> None:
    heads, participant = WORKSHEETS[language]
    titles = heads.split(",")
    row = [participant, "Jane Doe", "007", "jane@example.org", "Submitted", "", "2.00"]
    if blind:
        titles, row = (cells[:1] + cells[4:] for cells in (titles, row))
    path = tmp_path / "worksheet.csv"
    path.write_text(
        "\n".join(map(",".join, (titles, row, [row[0] + "2", *([""] * (len(row) - 1))])))
    )
    people = read_roster(path).people
    jane = Person("", {"moodle": "41"}) if blind else Person("Jane Doe", JANE, "jane@example.org")
    assert people == {2: jane, 3: Person("", {"moodle": "412"})}
    assert filled("moodle", path, people) == ["1.5", "1.5"]


@pytest.mark.parametrize(
    ("text", "name", "column", "jane"),
    [
        (
            ("Vorname,Nachname,ID-Nummer,E-Mail-Adresse,Aufgabe: Toy (Punkte),Test: User ID (Punkte)\n"
            "Jane,Doe,007,jane@example.org,-,5\n"), "moodle", None,
            Person("Jane Doe", {"id": "007"}, "jane@example.org", "Doe")),
        (
            ("Identyfikator,Pełna nazwa,Adres e-mail,Status,Ocena,Ocena maks.\n"
            "Uczestnik 41,Jane Doe,jane@example.org,Przesłane,,2.00\n"), "moodle", "Ocena",
            Person("Jane Doe", {"moodle": "41"}, "jane@example.org")),
        (
            ('Student,ID,Section,User ID quiz (11),Toy (12)\n"    Points Possible",,,5,2\n"Doe, Jane",41,A,3,\n'
            '"Student, Test",9,,,\n'), "canvas", None,
            Person("Jane Doe", {"canvas": "41"}, "", "Doe")),
        (
            ("Student,ID,SIS User ID,SIS Login ID,Section,Toy (12)\n,,,,,Manual Posting\n"
            '"Doe, Jane",41,007,jdoe,A,\n'), "canvas", None,
            Person("Jane Doe", {"canvas": "41", "id": "007", "sis login id": "jdoe"}, "", "Doe")),
    ],
)  # fmt: skip
def test_other_tables_that_are_filled_are_rosters(
    tmp_path: Path, text: str, name: str, column: str | None, jane: Person
) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text)
    people = read_roster(path).people
    assert [*people.values()] == [jane]
    assert filled(name, path, people, column) == ["1.5"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,name,note\nstudent7,Jane,late\n", Person("Jane", {"id": "student7"})),
        ("id,github username\n7,jdoe\n", Person("", {"id": "7", "github": "jdoe"})),
        ("StudentID,name\n7,Jane\n", Person("Jane", {"id": "7"})),
        ("OrgDefinedId,name\nX7,Jane\n", Person("Jane", {"orgdefined id": "X7"})),
        ("foo,bar\n1,2\n", "has no column with names or ids"),
        ("id,name\n", "no line below its titles"),
        ("name,deadline\nJane,2026-05-08\n", Person("Jane", deadline="2026-05-08T23:59:00")),
        ("name,deadline\nJane,2026-05-08T10:00+02:00\n",
            Person("Jane", deadline="2026-05-08T10:00:00+02:00")),
        ("name,deadline\nJane,\n", Person("Jane")),
        ("name,deadline\nJane,5/8/2026\n", "line 2: '5/8/2026' is no deadline. Write it as 2026-"),
        (
            ("Identifier,Full name,Status,Grade\n"
            'Participant 4,Jane,"Submitted for grading - 2 days 3 hours late - Extension granted until: '
            'Friday, 8 May 2026, 11:59 PM",\n'),
            Person("Jane", {"moodle": "4"}, deadline="2026-05-08T23:59:00")),
        (
            ("ID;Vollständiger Name;Status;Bewertung;Bestwertung\n"
            "Teilnehmer/in4;Jane;Keine Abgabe - Verlängerung zugelassen bis Freitag, 8. Mai 2026, 23:59;;2,00\n"),
            Person("Jane", {"moodle": "4"}, deadline="2026-05-08T23:59:00")),
        (
            ("Identifier,Full name,Status,Due date,Grade\n"
            'Participant 4,Jane,"No submission - Extension granted until: Friday, 8 May 2026, 11:59 PM",'
            '"Friday, 1 May 2026, 11:59 PM",\n'),
            Person("Jane", {"moodle": "4"}, deadline="2026-05-08T23:59:00")),
    ],
)  # fmt: skip
def test_a_list_of_ones_own_and_deadlines_are_read(
    tmp_path: Path, text: str, expected: Person | str
) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text)
    if isinstance(expected, Person):
        assert [*read_roster(path).people.values()] == [expected]
        return
    with pytest.raises(UsageError) as error:
        read_roster(path)
    assert expected in str(error.value)
