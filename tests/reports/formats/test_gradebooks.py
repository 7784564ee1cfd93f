"""Gradebooks of Canvas and Moodle with every oddity: filled, read by the standard parser, the same marks."""

from __future__ import annotations

import csv
import io
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

from autograder.errors import UsageError
from autograder.reports.class_record import ClassRecord, Member
from autograder.reports.formats import FORMATS, gradebook
from autograder.reports.formats.format import Export, Rendered, exported_file
from autograder.reports.graded_class import GradedClass
from autograder.results import CheckResult, Outcome, Result, Status, paragraphs
from autograder.submission import table
from autograder.submission.directory import Person

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.unit


class Known(NamedTuple):
    """A graded student, and who that is as far as the hand-in told."""

    result: Result
    person: Person


def plain(student: str, person: Person, score: float = 1.0) -> Known:
    check = CheckResult("scale", score, 2.0, Outcome.PASSED)
    return Known(
        Result("toy", student, Status.GRADED, (check,), (), False, "", "0.1.0", "r"), person
    )


def graded(people: Sequence[Known]) -> GradedClass:
    members = {one.result.student: Member(one.result.student, one.person, "", "") for one in people}
    return GradedClass(
        Path("out"), tuple(one.result for one in people), ClassRecord("toy", "r", members)
    )


def fill(name: str, path: Path, people: Sequence[Known], **options: object) -> Rendered:
    return FORMATS[name].render(Export(graded(people), path, **options))  # type: ignore[arg-type]


# Every oddity that the platforms write: a mark stands where @ is, to be put there.
CANVAS_ROWS = [
    [
        "Student", "ID", "SIS User ID", "SIS Login ID", "Root Account", "Section", "Quiz (11)", "TOY (4711)",
        "Toy two (12)", "Final Grade",
    ],
    ["", "", "", "", "", "", "Manual Posting", "Manual Posting", "", "(read only)"],
    ["    Points Possible", "", "", "", "", "", "10.5", "2", "5", "(read only)"],
    ["van der Berg, Zoë", "7001", "000001", "login1", "s.example", "A, and\nB", "3.25", "@1.25", "", "B+"],
    ['O\'Brien, An"na', "7002", "000002", "login2", "s.example", "A; B", "3.25", "@2", "", "B+"],
    ["Doe, Jr., =2+3", "7003", "000003", "login3", "s.example", "", "", "@0", "1", ""],
    ["娜, 李", "7004", "000004", "login4", "s.example", "", "", "@", "", ""],
    ["Student, Test", "99", "", "f00", "", "A", "", "", "", ""],
]  # fmt: skip
MOODLE_ROWS = [
    [
        "Identifier", "Full name", "ID number", "Email address", "Status", "Grade", "Maximum Grade",
        "Last modified (submission)", "Online text", "Feedback comments",
    ],
    [
        "Participant 7001", "Zoë van der Berg", "000001", "S1@Example.org", "-", "@1.25", "2.00",
        "1 April 2025, 10:00 AM", "<p>one, two;\nthree</p>", '<p>"Well" done</p>',
    ],
    ["Participant 7002", "An\"na O'Brien", "000002", "", "-", "@2", "2.00", "", "", ""],
    ["Participant 7003", "=2+3 Doe, Jr.", "000003", "S3@Example.org", "-", "@0", "2.00", "", "", ""],
    ["Participant 7004", "李 娜", "000004", "S4@Example.org", "-", "@", "2.00", "", "", ""],
]  # fmt: skip
LAYOUTS = {"canvas": CANVAS_ROWS, "moodle": MOODLE_ROWS}
PEOPLE = [
    plain("a", Person("", {"id": "000001"}), 1.25),
    plain("b", Person("An\"na O'Brien"), 2),
    plain("c", Person(), 0),
    plain("d", Person(), 0),
]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("name", LAYOUTS)
def test_in_any_dialect_the_marks_are_filled_and_nothing_else_changes(
    tmp_path: Path, name: str, windows: bool, delimiter: str
) -> None:
    """`windows`: a mark of the byte order, other ends of lines, decimal commas, quotes everywhere."""
    path = tmp_path / "gradebook.csv"

    def number(cell: str) -> str:
        return cell.replace(".", ",") if windows and not cell.strip("@0123456789.") else cell

    def written(rows: Sequence[Sequence[str]]) -> bytes:
        text = io.StringIO(newline="")
        quoting: Literal[0, 1] = csv.QUOTE_ALL if windows else csv.QUOTE_MINIMAL
        ends = "\r\n" if windows else "\n"
        csv.writer(text, delimiter=delimiter, lineterminator=ends, quoting=quoting).writerows(rows)
        return text.getvalue().encode("utf-8-sig" if windows else "utf-8")

    rows = [[number(cell) for cell in row] for row in LAYOUTS[name]]
    before = [["" if cell.startswith("@") else cell for cell in row] for row in rows]
    after = [[cell.removeprefix("@") for cell in row] for row in rows]
    nobody = PEOPLE[3].result
    people = [
        *PEOPLE[:2],
        Known(PEOPLE[2].result, Person("", {name: "7003"})),
        Known(Result("toy", "d", Status.UNGRADED, nobody.checks, (), False, "", "0.1.0", "r"),
              Person("", {name: "7004"})),
    ]  # fmt: skip
    path.write_bytes(written(before))
    filled = fill(name, path, people).data
    text = io.StringIO(filled.decode("utf-8-sig"), newline="")
    assert [*csv.reader(text, delimiter=delimiter)] == after
    assert filled == written(after)
    path.write_bytes(filled)
    assert fill(name, path, people).data == filled


def test_each_file_is_read_a_few_times_and_not_once_more_for_each_student(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def parse_number(text: str) -> float | None:
        read.append(text)
        return table.parse_number(text)

    monkeypatch.setattr(gradebook, "parse_number", parse_number)
    people = [plain(f"s{one}", Person("", {"canvas": str(one)})) for one in range(500)]
    lines = [f"Doe,{one},A," for one in range(500)]
    filled = canvas(tmp_path, "\n".join(["Student,ID,Section,Toy (4711)", *lines]), *people)
    assert (filled.data + b"\n").count(b"A,1\n") == 500
    assert 0 < len(read) < 20 * len(people)


# Nobody is guessed.


CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Toy (4711)\n"
    "    Points Possible,,,,,2\n"
    '"Doe, Jane",1,0001,jdoe,A,\n'
    '"Wang, Wei",2,0002,wwang,A,7\n'
    '"Wang, Wei",3,0003,wwang2,B,\n'
    '"Roe, Jon",4,0004,jroe,B,9\n'
)


def canvas(folder: Path, text: str, *people: Known, **options: object) -> Rendered:
    path = folder / "gradebook.csv"
    path.write_text(text)
    return fill("canvas", path, people, **options)


def cells(rendered: Rendered) -> list[str]:
    return [row[5] for row in csv.reader(io.StringIO(rendered.data.decode()))][2:]


@pytest.mark.parametrize(
    ("student", "person", "expected", "words"),
    [
        ("Jane Doe", Person("Jane Doe"), ["1", "7", "", "9"],
            "Found by the name only (1):\n  Jane Doe"),
        ("Wei Wang", Person("Wei Wang"), None, "More than one row may be meant"),
        ("x", Person("Wei Wang", {"canvas": "3"}), ["", "7", "1", "9"], ""),
        ("x", Person("Wei Wang", {"canvas": "5"}), None, "Not in the gradebook (1):\n  x"),
        ("x", Person("Jane Doe", {"canvas": "9", "student number": "0001"}), None,
            "Not in the gradebook (1):\n  x"),
        ("jdoe", Person(), ["1", "7", "", "9"], ""),
        ("x", Person("Somebody Else", {"moodle": "4"}), None, "Not in the gradebook (1):\n  x"),
    ],
)  # fmt: skip
def test_nobody_is_guessed(
    tmp_path: Path, student: str, person: Person, expected: list[str] | None, words: str
) -> None:
    sure = plain("sure", Person(ids={"id": "0004"}), 0.5)
    rendered = canvas(tmp_path, CANVAS, plain(student, person), sure)
    assert cells(rendered) == [*(expected or ["", "7", ""])[:3], "0.5"]
    assert words in "\n".join(rendered.notes)
    named = next((one for one in rendered.notes if one.startswith("In the gradebook without")), "")
    assert "Roe, Jon" not in named


def test_two_of_one_row_and_who_is_rejected_are_left_blank_and_named(tmp_path: Path) -> None:
    check = CheckResult("scale", 0, 2.0, Outcome.MISSING)
    about = paragraphs("No file.")
    rejected = Result("toy", "x", Status.REJECTED, (check,), about, False, "", "0.1.0", "r")
    two = [plain("a", Person(ids={"canvas": "1"})), plain("b", Person(ids={"id": "0001"}))]
    other = plain("c", Person(ids={"canvas": "3"}))
    rendered = canvas(tmp_path, CANVAS, *two, other, Known(rejected, Person(ids={"canvas": "2"})))
    assert cells(rendered) == ["", "", "1", "9"]
    assert "More than one row may be meant, so no mark was written (2):\n  a\n  b" in rendered.notes
    assert "Left blank (1):\n  x: rejected: No file." in rendered.notes
    with pytest.raises(UsageError, match=r"Nobody in out is in .* adds ids to names"):
        canvas(tmp_path, CANVAS, plain("zoe", Person("Zoe")))


def test_another_maximum_is_said(tmp_path: Path) -> None:
    jdoe = plain("jdoe", Person(), 1.5)
    rendered = canvas(tmp_path, CANVAS.replace(",,,,2\n", ",,,,100\n"), jdoe)
    assert cells(rendered)[0] == "1.5"
    assert any("at most 100 points, the assignment 2." in note for note in rendered.notes)
    odd = CANVAS.replace("Possible,,,,,2", "Possible,,x,,A,4")  # known by its first cell
    rendered = canvas(tmp_path, odd, jdoe)
    assert cells(rendered) == ["1.5", "7", "", "9"]
    assert "Possible" not in "".join(rendered.notes)


@pytest.mark.parametrize(
    ("titles", "column", "filled"),
    [
        ("Toy (1),Other (2)", None, 0),
        ("Toy (1),Homework (2)\n    Points Possible,,,,(read only),2", None, "'Toy (1)' is there, too"),
        ("TOY 2 (1),Homework (2)\n    Points Possible,,,,(read only),2", None, 1),
        ("Other (2),TOY! (1)", None, 1),
        ("A (1),B (2)", "b", 1),
        ("A (1),B (2)", "B (2)", 1),
        ("A (1),B (2)", None,
            "no column 'toy'. Give its title with --column. There is: 'A (1)', 'B (2)'."),
        ("Toy (1),Toy (2)", None, "more than one column 'toy'"),
        ("Total,Notes", None, "is no gradebook of Canvas"),
    ],
)  # fmt: skip
def test_the_column_is_never_guessed(
    tmp_path: Path, titles: str, column: str | None, filled: int | str
) -> None:
    text = f"Student,ID,SIS Login ID,Section,{titles}\nJane,1,jdoe,A,,\n"
    jdoe = plain("jdoe", Person(), 1.5)
    if isinstance(filled, str):
        with pytest.raises(UsageError) as error:
            canvas(tmp_path, text, jdoe, column=column)
        assert filled in str(error.value)
        return
    row = canvas(tmp_path, text, jdoe, column=column).data.decode().splitlines()[-1]
    assert row.split(",")[4 + filled] == "1.5"


@pytest.mark.parametrize(
    ("titles", "possible", "column", "why"),
    [
        ("Toy (1),B (2)", "2,9", "B (2)", "'Toy (1)' is there, too"),
        ("Old quiz (1),B (2)", "2,9", "Old quiz (1)", "that is the name of 'old_quiz'"),
        ("Quiz 1 (1)", "9", None, "9 points are those of 'old_quiz', and 'toy' has 2"),
        ("Quiz 1 (1),B (2)", "100,9", "Quiz 1 (1)", ""),
        ("Toy after the old quiz (1),B (2)", "9,9", "Toy after the old quiz (1)", ""),
    ],
)
def test_the_column_of_another_assignment_is_not_filled(
    tmp_path: Path, titles: str, possible: str, column: str | None, why: str
) -> None:
    path = tmp_path / "gradebook.csv"
    rows = f"Student,ID,SIS Login ID,{titles}\nPoints Possible,,,{possible}\nJane,1,jdoe,,\n"
    path.write_text(rows, encoding="utf-8")
    class_ = graded([plain("jdoe", Person(), 1.5)])
    class_ = replace(class_, record=replace(class_.record, beside={"old_quiz": 9.0}))
    export = Export(class_, path, column)
    if why:
        with pytest.raises(UsageError) as error:
            FORMATS["canvas"].render(export)
        assert f"looks like that of another assignment: {why}." in str(error.value)
        export = replace(export, anyway=True)
    assert b",1.5" in FORMATS["canvas"].render(export).data


@pytest.mark.parametrize(
    ("old", "options", "new", "words"),
    [
        ("", {}, "1.5", "1 marks are in the column"),
        ("7", {}, "1.5", "  jdoe: 7 -> 1.5"),
        ("1.50", {}, "1.50", "0 marks are in the column"),
        ("EX", {}, "EX", "No number there, left as it is (1):\n  jdoe: EX"),
        ("complete", {"keep": True}, "complete", "left as it is (1):\n  jdoe: complete"),
        ("7", {"keep": True}, "7", "Kept, as --keep says (1):\n  jdoe: 7, here 1.5"),
        ("0", {"keep": True}, "0", "Kept, as --keep says (1):\n  jdoe: 0, here 1.5"),
    ],
)
def test_what_the_platform_holds_is_respected(
    tmp_path: Path, old: str, options: dict[str, Any], new: str, words: str
) -> None:
    text = CANVAS.replace(",,,,2\n", ",,,,100\n").replace("jdoe,A,", f"jdoe,A,{old}")
    rendered = canvas(tmp_path, text, plain("jdoe", Person(), 1.5), **options)
    assert cells(rendered) == [new, "7", "", "9"]
    assert words in "\n".join(rendered.notes)
    assert (" -> " in "\n".join(rendered.notes)) == (" -> " in words)


class Exports:
    """A gradebook that is filled again and again, while people type marks into it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "gradebook.csv"
        self.path.write_text(CANVAS, encoding="utf-8")

    def __call__(self, *marks: float, **options: object) -> str:
        """Export the points of Jane, of Wei Wang (3) and Jon, and return the notes."""
        people = [
            plain(number, Person("", {"canvas": number}), points)
            for number, points in zip("134", marks, strict=True)
        ]
        rendered = fill("canvas", self.path, people, **options)
        self.path.write_bytes(rendered.data)
        exported_file(self.path).write_bytes(rendered.exported)
        return "\n".join(rendered.notes)

    def type(self, old: str, new: str) -> None:
        text = self.path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        self.path.write_text(text.replace(old, new), encoding="utf-8")

    @property
    def marks(self) -> list[str]:
        rows = csv.reader(io.StringIO(self.path.read_text(encoding="utf-8")))
        return [row[5] for row in rows if row[1] in ("1", "3", "4")]


def test_a_typed_mark_stays_and_a_correction_arrives(tmp_path: Path) -> None:
    export = Exports(tmp_path)
    said = export(1, 1.3333, 2)
    assert export.marks == ["1", "1.3333", "2"]
    assert "Replaced (1):\n  4: 9 -> 2" in said
    export.type("A,1\n", "A,1.75\n")  # Jane's appeal
    export.type("1.3333", "1.33")  # as the platform rounds it
    said = export(1, 1.3333, 0.5)
    assert export.marks == ["1.75", "1.33", "0.5"]
    assert "Typed there since the last export, so kept (1):\n  1: 1.75, here 1" in said
    assert "Replaced (1):\n  4: 2 -> 0.5" in said
    for keep in (False, True):
        said = export(1.75, 2 - keep, 0.5, keep=keep)  # Jane's correction is ours now, too
        assert export.marks == ["1.75", f"{2 - keep}", "0.5"]
        assert "kept" not in said.casefold()
    export.type("A,1.75\n", "A,\n")
    export(1.5, 1, 0.5)
    assert export.marks == ["1.5", "1", "0.5"]


def test_each_column_has_its_own_exported_marks(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text("Student,ID,SIS Login ID,Toy (1),Other (2)\nJane,1,jdoe,,\n", encoding="utf-8")
    for column, points in (("Toy (1)", 1.5), ("Other (2)", 2), ("Toy (1)", 1)):
        people = [plain("jdoe", Person(), points)]
        rendered = fill("canvas", path, people, column=column, anyway=True)
        path.write_bytes(rendered.data)
        exported_file(path).write_bytes(rendered.exported)
    assert path.read_text(encoding="utf-8").endswith("jdoe,1,2\n")
    lines = exported_file(path).read_text(encoding="utf-8").splitlines()
    assert lines == ["column,student,mark", "Other (2),1,2", "Toy (1),1,1"]


@pytest.mark.parametrize(
    "possible",
    [
        "",
        "    Points Possible,,,,,0\n",
        '"Nobody, Known",,,,,40\n',  # a student without ids
        "    Punkte,,,,,40\n",
    ],
)
def test_a_mark_needs_no_known_maximum(tmp_path: Path, possible: str) -> None:
    text = CANVAS.replace("    Points Possible,,,,,2\n", possible)
    jdoe = plain("jdoe", Person(), 1.5)
    assert b",jdoe,A,1.5\n" in canvas(tmp_path, text, jdoe).data


# Moodle.

GERMAN = (
    "\ufeffID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Bestwertung;Bewertung kann geändert werden;"
    "Zuletzt geändert (Bewertung);Feedback als Kommentar\r\n"
    "Teilnehmer/in204001;Jane Doe;jane@example.org;Abgegeben;;2,00;Ja;-;\r\n"
    "Teilnehmer/in204002;Wei Wang;wei@example.org;Abgegeben;1,00;2,00;Nein;-;\r\n"
)


def test_a_worksheet_in_another_language_is_filled(tmp_path: Path) -> None:
    path = tmp_path / "worksheet.csv"
    path.write_bytes(GERMAN.encode())
    people = [
        plain("Jane Doe", Person("Jane Doe", {"moodle": "204001"}), 1.5),
        plain("Wei Wang", Person("Wei Wang", {"moodle": "204002"}), 0.5),
    ]
    rendered = fill("moodle", path, people)
    expected = GERMAN.replace("Abgegeben;;2,00", "Abgegeben;1,5;2,00")
    assert rendered.data == expected.encode()
    assert "The platform does not let these marks change (1):\n  Wei Wang" in rendered.notes


def test_a_grader_report_is_filled(tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    path.write_text(
        '"First name","Last name","ID number","Email address","Assignment: Toy (Real)","Quiz: A (Real)","Total"\n'
        '"Jane","Doe","0001","jane@example.org","-","3.00","3.00"\n'
        '"Wei","Wang","0002","wei@example.org","1.00","-","1.00"\n'
    )
    people = [plain("x", Person("", {}, "JANE@example.org"), 1.5)]
    rendered = fill("moodle", path, people)
    assert rendered.data.decode().splitlines()[1] == (
        '"Jane","Doe","0001","jane@example.org","1.5","3.00","3.00"'
    )
    assert "In the gradebook without a result, left as they are (1):\n  Wei Wang" in rendered.notes


def test_feedback_has_the_names_that_each_platform_knows(tmp_path: Path) -> None:
    """Moodle: at most five parts, the second is the participant. Canvas: the first two numbers, user and upload."""
    (tmp_path / "Zoë").mkdir()
    (tmp_path / "Zoë" / "feedback.html").write_text("<p>page</p>")
    upload = "../download/teama_7005_90005_toy.py"
    zoe = Person("Zoë_X/Y", {"moodle": "204001", "id": "1004"})
    members = {
        "Zoë": Member("Zoë", zoe, upload, ""),  # in a group with Bob
        "Bob": Member("Bob", Person("Bob", {"moodle": "204002"}), upload, ""),
        "Eve": Member("Eve", Person("Eve"), "../download/eve.py", ""),
    }
    results = tuple(plain(name, one.person).result for name, one in members.items())

    def packed(name: str) -> tuple[dict[str, bytes], str]:
        export = Export(
            GradedClass(tmp_path, results, ClassRecord("toy", "r", members)),
            tmp_path / "feedback.zip",
        )
        rendered = FORMATS[name].render(export)
        with zipfile.ZipFile(io.BytesIO(rendered.data)) as archive:
            return {one: archive.read(one) for one in archive.namelist()}, rendered.notes[-1]

    files, note = packed("moodle-feedback")
    assert [*files] == [
        "Zoë X Y_204001_assignsubmission_file_/feedback.html",
        "Bob_204002_assignsubmission_file_/feedback.txt",
    ]
    page, text = files.values()
    assert page == b"<p>page</p>"
    assert b"Bob: 1 of 2 points" in text
    assert "Without the platform's id, so not in it (1): Eve." in note
    files, note = packed("canvas-feedback")
    assert [*files] == ["teama_7005_90005_toy.py"]
    assert files["teama_7005_90005_toy.py"].startswith(b"# toy: 1 of 2 points")
    assert "(1): Eve." in note
    folders = [path.partition("/")[0] for path in packed("feedback")[0]]
    assert folders == ["1004", "204002", "Eve"]


def test_a_name_that_is_no_utf8_stops_no_feedback(tmp_path: Path) -> None:
    upload = "../download/m\udcfcller_7001_90000_toy.py"
    odd = Person("m\udcfcller", {"moodle": "204001"})
    members = {
        "m\udcfcller": Member("m\udcfcller", odd, upload, ""),
        "Bob": Member(
            "Bob", Person("Bob", {"moodle": "204002"}), upload.replace("\udcfc", "u"), ""
        ),
    }
    results = tuple(plain(name, one.person).result for name, one in members.items())
    for name in ("feedback", "moodle-feedback", "canvas-feedback"):
        export = Export(
            GradedClass(tmp_path, results, ClassRecord("toy", "r", members)),
            tmp_path / "feedback.zip",
        )
        rendered = FORMATS[name].render(export)
        with zipfile.ZipFile(io.BytesIO(rendered.data)) as archive:
            assert len(archive.namelist()) == 2, name
