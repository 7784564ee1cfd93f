"""Gradebooks of Canvas and Moodle with every oddity: filled, read by the standard parser, the same marks."""

from __future__ import annotations

import csv
import io
import random
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.errors import UsageError
from autograder.reports.class_record import Member
from autograder.reports.formats import FORMATS, gradebook
from autograder.reports.formats.format import Export, Rendered
from autograder.reports.graded_class import GradedClass
from autograder.results import CheckResult, Outcome, Override, Result, Status, paragraphs
from autograder.submission import table
from autograder.submission.directory import Person

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.unit

FIRST = ("Jane", "Wei", "Zoë", "Åse", 'An"na', "José María", "李", "Mary-Jane", "O'Neil", "=2+3")
LAST = ("Doe", "Wang", "van der Berg", "Ångström", "O'Brien", "García Lorca", "Doe, Jr.", "娜")


@dataclass(frozen=True)
class Someone:
    """A student of the class and of the gradebook."""

    number: int
    first: str
    last: str
    result: Result
    known_by: str

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def email(self) -> str:
        return f"S{self.number}@Example.org"

    @property
    def ids(self) -> dict[str, str]:
        return {
            "canvas": str(7000 + self.number),
            "moodle": str(204000 + self.number),
            "id": f"{self.number:06}",
            "login": f"login{self.number}",
        }

    @property
    def person(self) -> Person:
        """Who handed in, as far as the hand-in told."""
        if self.known_by == "email":
            return Person("", {}, self.email.lower())
        if self.known_by == "folder":
            return Person()
        ids = {kind: value for kind, value in self.ids.items() if kind == self.known_by}
        return Person(self.name, ids)

    @property
    def mark(self) -> float | None:
        result = self.result
        decided = any(check.override for check in result.checks)
        return result.score if result.status is Status.GRADED or decided else None


def someone(number: int, draw: random.Random, kinds: Sequence[str]) -> Someone:
    known_by = draw.choice(kinds)
    first, last = draw.choice(FIRST), f"{draw.choice(LAST)} {number}"
    student = f"login{number}" if known_by == "folder" else f"{first} {last} ({number})"
    status = draw.choices([*Status], [8, 1, 1])[0]
    points = draw.choice([0, 1, 1.25, 4 / 3, 2]) if status is Status.GRADED else 0.0
    outcome = Outcome.UNGRADED if status is Status.UNGRADED else Outcome.WRONG
    check = CheckResult("scale", points, 2.0, outcome)
    if status is Status.REJECTED and draw.random() < 0.3:
        check = CheckResult(
            "scale", 1.5, 2.0, outcome, override=Override(student, "scale", 1.5, "", ""), earned=0.0
        )
    about = paragraphs("Nothing to read.", "More.") if status is Status.REJECTED else ()
    result = Result("toy", student, status, (check,), about, False, "", "0.1.0", "r")
    return Someone(number, first, last, result, known_by)


@dataclass(frozen=True)
class Dialect:
    """How a platform writes its file."""

    delimiter: str = ","
    ends: str = "\n"
    bom: bool = False
    comma: bool = False
    quote_all: bool = False

    def number(self, value: float | None) -> str:
        text = "" if value is None else f"{value:.4f}".rstrip("0").rstrip(".")
        return text.replace(".", ",") if self.comma else text

    def dump(self, rows: Sequence[Sequence[str]]) -> bytes:
        text = io.StringIO(newline="")
        quoting: Literal[0, 1] = csv.QUOTE_ALL if self.quote_all else csv.QUOTE_MINIMAL
        csv.writer(
            text, delimiter=self.delimiter, lineterminator=self.ends, quoting=quoting
        ).writerows(rows)
        return text.getvalue().encode("utf-8-sig" if self.bom else "utf-8")

    def parse(self, data: bytes) -> list[list[str]]:
        text = data.decode("utf-8-sig")
        return [*csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter)]


DIALECTS = st.builds(
    Dialect,
    delimiter=st.sampled_from(",;\t"),
    ends=st.sampled_from(["\n", "\r\n"]),
    bom=st.booleans(),
    comma=st.booleans(),
    quote_all=st.booleans(),
)


def graded(people: Sequence[Someone]) -> GradedClass:
    members = {one.result.student: Member(one.result.student, one.person, "", "") for one in people}
    return GradedClass(Path("out"), tuple(one.result for one in people), members)


def canvas_rows(
    people: Sequence[Someone], dialect: Dialect, draw: random.Random
) -> tuple[list[list[str]], int]:
    """A gradebook of Canvas, and the number of the column to fill."""
    root = [*draw.choice([["Root Account"], []])]
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", *root, "Section"]
    title = draw.choice(["Toy (4711)", "TOY (1)"])
    columns = ["Quiz (11)", title, "Toy two (12)", "Current Score", "Final Grade"]
    rows = [[*head, *columns]]
    if draw.random() < 0.5:
        rows.append([""] * len(head) + ["Manual Posting"] * 3 + ["(read only)"] * 2)
    points = [dialect.number(value) for value in (10.5, 2, 5)]
    possible = draw.choice(["    Points Possible", "Points Possible"])
    rows.append([possible, *[""] * (len(head) - 1), *points, "(read only)", "(read only)"])
    for one in draw.sample(people, len(people)):
        ids = [one.ids["canvas"], one.ids["id"], one.ids["login"]]
        marks = [dialect.number(3.25), draw.choice(["", dialect.number(1)]), ""]
        row = [
            f"{one.last}, {one.first}",
            *ids,
            *(["school.example.org"] if root else []),
            draw.choice(["Group A; B", "Group A, and\nGroup B", ""]),
            *marks,
            "",
            "B+",
        ]
        rows.append(row)
    if draw.random() < 0.5:
        test = ["Student, Test", "99", "", "f00", *([""] if root else []), "Group A"]
        rows.append([*test, "", "", "", "", ""])
    return rows, len(head) + 1


def moodle_rows(
    people: Sequence[Someone], dialect: Dialect, draw: random.Random
) -> tuple[list[list[str]], int]:
    """Moodle's grading worksheet."""
    rows = [
        [
            "Identifier",
            "Full name",
            "ID number",
            "Email address",
            "Status",
            "Grade",
            "Maximum Grade",
            "Grade can be changed",
            "Last modified (submission)",
            "Online text",
            "Last modified (grade)",
            "Feedback comments",
        ]
    ]
    rows += [
        [
            f"Participant {one.ids['moodle']}",
            one.name,
            one.ids["id"],
            one.email,
            "Submitted for grading - ",
            draw.choice(["", dialect.number(1.5)]),
            "2,00" if dialect.comma else "2.00",
            "Yes",
            "Tuesday, 1 April 2025, 10:00 AM",
            "<p>one, two;\nthree</p>",
            "-",
            '<p>"Well" done</p>',
        ]
        for one in draw.sample(people, len(people))
    ]
    if draw.random() < 0.5:  # a course without online texts
        rows = [row[:9] + row[10:] for row in rows]
    if all(one.known_by != "id" for one in people) and draw.random() < 0.5:
        return [row[:2] + row[3:] for row in rows], 4
    return rows, 5


def fill(name: str, path: Path, people: Sequence[Someone], **options: object) -> Rendered:
    return FORMATS[name].render(Export(graded(people), path, **options))  # type: ignore[arg-type]


def verify(
    name: str, people: Sequence[Someone], dialect: Dialect, draw: random.Random, folder: Path
) -> None:
    """Fill a gradebook, and compare it cell by cell with the one before."""
    layout = {"canvas": canvas_rows, "moodle": moodle_rows}[name]
    rows, column = layout(people, dialect, draw)
    path = folder / "gradebook.csv"
    before = dialect.dump(rows)
    path.write_bytes(before)
    after = dialect.parse(fill(name, path, people).data)
    by_key = {one.ids[name]: one for one in people}
    assert len(after) == len(rows)
    seen = 0
    for old, new in zip(rows, after, strict=True):
        key = old[1] if name == "canvas" else old[0].removeprefix("Participant ")
        expected = list(old)
        if key in by_key:
            expected[column] = dialect.number(by_key[key].mark)
            seen += 1
        assert new == expected
    assert seen == len(people)
    path.write_bytes(fill(name, path, people).data)
    assert fill(name, path, people).data == path.read_bytes()


KINDS = {
    "canvas": ("canvas", "id", "login", "email", "name", "folder"),
    "moodle": ("moodle", "id", "email", "name"),
}


@settings(max_examples=25, deadline=None)
@given(dialect=DIALECTS, seed=st.integers(0, 2**32), name=st.sampled_from(["canvas", "moodle"]))
def test_any_class_in_any_dialect_gets_its_marks(
    tmp_path_factory: pytest.TempPathFactory, dialect: Dialect, seed: int, name: str
) -> None:
    draw = random.Random(seed)
    kinds = [kind for kind in KINDS[name] if name == "moodle" or kind != "email"]
    people = [someone(number, draw, kinds) for number in range(1, draw.randrange(2, 12))]
    verify(name, people, dialect, draw, tmp_path_factory.mktemp("gradebook"))


@pytest.mark.parametrize("name", ["canvas", "moodle"])
def test_hundreds_of_students_get_their_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Each file is read a few times, and not once more for each student."""
    read: list[str] = []

    def parse_number(text: str) -> float | None:
        read.append(text)
        return table.parse_number(text)

    monkeypatch.setattr(gradebook, "parse_number", parse_number)
    draw = random.Random(name)
    kinds = [kind for kind in KINDS[name] if name == "moodle" or kind != "email"]
    people = [someone(number, draw, kinds) for number in range(1, 501)]
    verify(name, people, Dialect(";", "\r\n", bom=True, comma=True), draw, tmp_path)
    assert 0 < len(read) < 20 * len(people)


# Nobody is guessed.


def plain(
    number: int, first: str, last: str, student: str, person: Person, score: float = 1.0
) -> Someone:
    check = CheckResult("scale", score, 2.0, Outcome.PASSED)
    result = Result("toy", student, Status.GRADED, (check,), (), False, "", "0.1.0", "r")
    return _Fixed(number, first, last, result, "", person)


@dataclass(frozen=True)
class _Fixed(Someone):
    fixed: Person = field(default_factory=Person)

    @property
    def person(self) -> Person:
        return self.fixed


CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Toy (4711)\n"
    "    Points Possible,,,,,2\n"
    '"Doe, Jane",1,0001,jdoe,A,\n'
    '"Wang, Wei",2,0002,wwang,A,7\n'
    '"Wang, Wei",3,0003,wwang2,B,\n'
    '"Roe, Jon",4,0004,jroe,B,9\n'
)


def cells(rendered: Rendered) -> list[str]:
    return [row[5] for row in csv.reader(io.StringIO(rendered.data.decode()))][2:]


@pytest.mark.parametrize(
    ("student", "person", "expected", "words"),
    [
        (
            "Jane Doe",
            Person("Jane Doe"),
            ["1", "7", "", "9"],
            "Found by the name only (1):\n  Jane Doe",
        ),
        ("Wei Wang", Person("Wei Wang"), None, "More than one row may be meant"),
        ("x", Person("Wei Wang", {"canvas": "3"}), ["", "7", "1", "9"], ""),
        ("x", Person("Wei Wang", {"canvas": "5"}), None, "Not in the gradebook (1):\n  x"),
        ("John Roe", Person("John Roe"), None, "Not in the gradebook (1):\n  John Roe"),
        ("x", Person("Jane Doe", {"canvas": "9"}), None, "Not in the gradebook (1):\n  x"),
        (
            "x",
            Person("Jane Doe", {"canvas": "9", "student number": "0001"}),
            None,
            "Not in the gradebook (1):\n  x",
        ),
        ("jdoe", Person(), ["1", "7", "", "9"], ""),
        ("x", Person("Somebody Else", {"moodle": "4"}), None, "Not in the gradebook (1):\n  x"),
        ("x", Person("Jon Roe", {"student number": "0004"}), ["", "7", "", "1"], ""),
    ],
)
def test_nobody_is_guessed(
    tmp_path: Path, student: str, person: Person, expected: list[str] | None, words: str
) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text(CANVAS)
    sure = plain(4, "Jon", "Roe", "sure", Person(ids={"id": "0004"}), 0.5)
    others = [] if expected and expected[3] == "1" else [sure]
    rendered = fill("canvas", path, [plain(1, "", "", student, person), *others])
    if others:
        expected = [*(expected or ["", "7", "", "9"])[:3], "0.5"]
    assert cells(rendered) == expected
    assert words in "\n".join(rendered.notes)
    named = next((one for one in rendered.notes if one.startswith("In the gradebook without")), "")
    assert "Roe, Jon" not in named


def test_two_students_of_one_row_both_get_nothing(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text(CANVAS)
    people = [
        plain(1, "", "", "a", Person(ids={"canvas": "1"})),
        plain(1, "", "", "b", Person(ids={"id": "0001"})),
        plain(2, "", "", "c", Person(ids={"canvas": "2"})),
    ]
    rendered = fill("canvas", path, people)
    assert cells(rendered) == ["", "1", "", "9"]
    assert "More than one row may be meant, so no mark was written (2):\n  a\n  b" in rendered.notes


def test_a_gradebook_of_another_class_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text(CANVAS)
    with pytest.raises(UsageError, match=r"Nobody in out is in .* adds ids to names"):
        fill("canvas", path, [plain(1, "", "", "zoe", Person("Zoe"))])


def test_who_is_left_blank_is_named_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text(CANVAS)
    check = CheckResult("scale", 0, 2.0, Outcome.MISSING)
    rejected = Result(
        "toy", "x", Status.REJECTED, (check,), paragraphs("No file."), False, "", "0.1.0", "r"
    )
    one = _Fixed(2, "", "", rejected, "", Person(ids={"canvas": "2"}))
    rendered = fill("canvas", path, [one])
    assert cells(rendered) == ["", "", "", "9"]
    assert rendered.notes[1] == "Left blank (1):\n  x: rejected: No file."


def test_another_maximum_is_said_and_may_be_converted(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text(CANVAS.replace(",,,,2\n", ",,,,100\n"))
    people = [plain(1, "", "", "jdoe", Person(), 1.5)]
    rendered = fill("canvas", path, people)
    assert cells(rendered)[0] == "1.5"
    assert any("at most 100 points, the assignment 2." in note for note in rendered.notes)
    rendered = fill("canvas", path, people, scale=True)
    assert cells(rendered)[0] == "75"
    assert any("2 of the assignment are 100 there" in note for note in rendered.notes)


@pytest.mark.parametrize(
    ("titles", "column", "filled"),
    [
        ("Toy (1),Other (2)", None, 0),
        ("Other (2),TOY! (1)", None, 1),
        ("Anything (2)", None, 0),
        ("A (1),B (2)", "b", 1),
        ("A (1),B (2)", "B (2)", 1),
        (
            "A (1),B (2)",
            None,
            "no column 'toy'. Give its title with --column. There is: 'A (1)', 'B (2)'.",
        ),
        ("Toy (1),Toy (2)", None, "more than one column 'toy'"),
        ("A (1)", "C", "no column 'C'"),
        ("Total,Notes", None, "is no gradebook of Canvas"),
    ],
)
def test_the_column_is_never_guessed(
    tmp_path: Path, titles: str, column: str | None, filled: int | str
) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text(f"Student,ID,SIS Login ID,Section,{titles}\nJane,1,jdoe,A,,\n")
    people = [plain(1, "", "", "jdoe", Person(), 1.5)]
    if isinstance(filled, str):
        with pytest.raises(UsageError) as error:
            fill("canvas", path, people, column=column)
        assert filled in str(error.value)
        return
    rows = [*csv.reader(io.StringIO(fill("canvas", path, people, column=column).data.decode()))]
    assert rows[1][4 + filled] == "1.5"


def test_a_computed_column_is_not_filled(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text(
        "Student,ID,Section,Toy (1),Homework (2)\n    Points Possible,,,(read only),2\nJane,1,A,,\n"
    )
    rendered = fill("canvas", path, [plain(1, "", "", "x", Person(ids={"canvas": "1"}))])
    assert rendered.data.decode().splitlines()[2] == "Jane,1,A,,1"


@pytest.mark.parametrize(
    ("old", "options", "new", "words"),
    [
        ("", {}, "1.5", "1 marks are in the column"),
        ("7", {}, "1.5", "  jdoe: 7 -> 1.5"),
        ("1.50", {}, "1.50", "0 marks are in the column"),
        ("-", {}, "1.5", "1 marks are in the column"),
        ("EX", {}, "EX", "No number there, left as it is (1):\n  jdoe: EX"),
        ("N/A", {}, "N/A", "No number there, left as it is (1):\n  jdoe: N/A"),
        ("complete", {"keep": True}, "complete", "left as it is (1):\n  jdoe: complete"),
        ("7", {"keep": True}, "7", "Kept, as --keep says (1):\n  jdoe: 7, here 1.5"),
        ("0", {"keep": True}, "0", "Kept, as --keep says (1):\n  jdoe: 0, here 1.5"),
        ("", {"keep": True}, "1.5", "1 marks are in the column"),
        ("7", {"scale": True}, "75", "  jdoe: 7 -> 75"),
    ],
)
def test_what_the_platform_holds_is_respected(
    tmp_path: Path, old: str, options: dict[str, Any], new: str, words: str
) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text(CANVAS.replace(",,,,2\n", ",,,,100\n").replace("jdoe,A,", f"jdoe,A,{old}"))
    rendered = fill("canvas", path, [plain(1, "", "", "jdoe", Person(), 1.5)], **options)
    assert cells(rendered) == [new, "7", "", "9"]
    assert words in "\n".join(rendered.notes)
    assert (" -> " in "\n".join(rendered.notes)) == (" -> " in words)


@pytest.mark.parametrize(
    "possible",
    [
        "",
        "    Points Possible,,,,,\n",
        "    Points Possible,,,,,0\n",
        '"Nobody, Known",,,,,40\n',  # a student without ids
        "    Punkte,,,,,40\n",
    ],
)
def test_points_are_converted_to_a_known_maximum_only(tmp_path: Path, possible: str) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text(CANVAS.replace("    Points Possible,,,,,2\n", possible))
    people = [plain(1, "", "", "jdoe", Person(), 1.5)]
    with pytest.raises(UsageError, match=r"--scale needs the maximum .* none for jdoe."):
        fill("canvas", path, people, scale=True)
    assert ",jdoe,A,1.5\r\n" in fill("canvas", path, people).data.decode()


def test_the_row_of_maximum_points_is_known_by_its_first_cell(tmp_path: Path) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text(CANVAS.replace("Possible,,,,,2", "Possible,,x,,A,4"))
    rendered = fill("canvas", path, [plain(1, "", "", "jdoe", Person(), 1.5)], scale=True)
    assert cells(rendered) == ["3", "7", "", "9"]
    assert "Possible" not in "".join(rendered.notes)


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
        plain(1, "", "", "Jane Doe", Person("Jane Doe", {"moodle": "204001"}), 1.5),
        plain(2, "", "", "Wei Wang", Person("Wei Wang", {"moodle": "204002"}), 0.5),
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
    people = [plain(1, "", "", "x", Person("", {}, "JANE@example.org"), 1.5)]
    rendered = fill("moodle", path, people)
    assert rendered.data.decode().splitlines()[1] == "Jane,Doe,0001,jane@example.org,1.5,3.00,3.00"
    assert "In the gradebook without a result, left as they are (1):\n  Wei Wang" in rendered.notes


def test_the_feedback_of_each_student_is_in_a_folder_that_moodle_knows(tmp_path: Path) -> None:
    (tmp_path / "Zoë").mkdir()
    (tmp_path / "Zoë" / "feedback.html").write_text("<p>page</p>")
    people = [
        plain(1, "", "", "Zoë", Person("Zoë_X/Y", {"moodle": "204001"})),
        plain(2, "", "", "Bob", Person("Bob", {"moodle": "204002"})),
        plain(3, "", "", "Eve", Person("Eve")),
    ]
    class_ = graded(people)
    class_ = GradedClass(tmp_path, class_.results, class_.members)
    rendered = FORMATS["moodle-feedback"].render(Export(class_, tmp_path / "feedback.zip"))
    with zipfile.ZipFile(io.BytesIO(rendered.data)) as archive:
        names = archive.namelist()
        assert archive.read(names[0]) == b"<p>page</p>"
        assert b"Bob: 1 of 2 points" in archive.read(names[1])
    assert names == [
        "Zoë X Y_204001_assignsubmission_file_/feedback.html",
        "Bob_204002_assignsubmission_file_/feedback.txt",
    ]
    assert "Without the platform's id, so not in it (1): Eve." in rendered.notes[1]
