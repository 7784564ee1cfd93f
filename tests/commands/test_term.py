"""A term: four downloads of a class, and after each the right mark for each id (see docs/platforms.md)."""

from __future__ import annotations

import csv
import io
import json
import shutil
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from autograder.release.build import plan_build, write_build
from tests.command_line import Invoked, class_file, invoke
from tests.commands.test_class_folder import QUESTION
from tests.commands.test_grade import grade
from tests.submission.class_downloads import Student, download, put, write_roster
from tests.toy import DOUBLE, RIGHT, UNCHANGED, write_toy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

pytestmark = pytest.mark.slow  # a dozen runs of the command

HALF = f"START = 0.5\n\n\n{DOUBLE}"  # 1 of 3 points
POINTS = {RIGHT: 3.0, UNCHANGED: 2.0, HALF: 1.0}
TIMES = {
    0: "Friday, 1 May 2026, 10:00 AM",
    1: "Saturday, 2 May 2026, 10:00 AM",
    2: "Sunday, 3 May 2026, 11:00 AM",
}


def person(number: int, first: str, last: str, file: str = "", **more: Any) -> Student:
    return Student(first, last, number, {"toy.py": file.encode()} if file else {}, **more)


@dataclass
class Term:
    """A platform: which list it gives, how its list is filled, and what the filled one says."""

    roster: Callable[[Iterable[Student], Path], None]
    export: str
    marks: Callable[[str], dict[str, str]]
    percent: float = 0.0
    options: dict[str, Any] = field(default_factory=dict)


def table(path: Path, *lines: Iterable[object]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(lines)
    put(path, text.getvalue().encode())


def rows(text: str) -> Iterable[dict[str, str]]:
    return csv.DictReader(io.StringIO(text))


# Moodle: mod/assign/classes/downloader.php, gradingtable.php, feedback/offline/importgradeslib.php.


def worksheet(people: Iterable[Student], path: Path) -> None:
    head = "Identifier,Full name,ID number,Email address,Status,Group,Grade,Maximum Grade"
    more = "Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments"
    lines = [
        [f"Participant {204000 + one.number}", one.name, one.id, one.email,
         "Submitted for grading" if one.files else "No submission", one.group or "Default group",
         "", "7.00", "Yes", TIMES[one.days] if one.files else "-", "-", ""]
        for one in people
    ]  # fmt: skip
    table(path, f"{head},{more}".split(","), *lines)


def from_worksheet(text: str) -> dict[str, str]:
    """As Moodle reads it: the number after the word of the first column, and the column Grade."""
    numbers = {row["Identifier"].partition("Participant ")[2]: row["Grade"] for row in rows(text)}
    return {f"{int(number) - 204000:05}": grade for number, grade in numbers.items()}


# Canvas: lib/content_zipper.rb; gradebook_importer.rb finds a row by the column ID.


def gradebook(people: Iterable[Student], path: Path) -> None:
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Toy (991)", "Current Score"]
    lines = [
        [f"{one.last}, {one.first}", 7000 + one.number, one.id, f"u{one.id}", "A", "", ""]
        for one in people
    ]
    table(path, head, ["    Points Possible", "", "", "", "", 7, "(read only)"], *lines)
    groups = ["name", "canvas_user_id", "user_id", "login_id", "sections", "group_name"]
    members = [
        [one.name, 7000 + one.number, one.id, f"u{one.id}", "A", one.group, 31, ""]
        for one in people
        if one.group
    ]
    table(path.with_name("groups.csv"), [*groups, "canvas_group_id", "group_id"], *members)


def from_gradebook(text: str) -> dict[str, str]:
    """As Canvas reads it: the id of the user, and the column with the assignment's number."""
    return {f"{int(row['ID']) - 7000:05}": row["Toy (991)"] for row in rows(text) if row["ID"]}


# GitHub: one repository for each student or group; the list is the instructor's own.


def own_list(people: Iterable[Student], path: Path) -> None:
    write_roster([replace(one, group="") for one in people], path)
    members = [[one.user, one.id] for one in people if one.group]
    table(path.with_name("groups.csv"), ["group", "student"], *members)


def from_csv(text: str) -> dict[str, str]:
    return {row["id"]: row["score"] for row in rows(text)}


LATE = {"late-penalty": "10%/day", "deadline": "2026-05-01T23:59+00:00"}
TERMS = {
    "moodle": Term(worksheet, "moodle", from_worksheet, 10, LATE),
    "canvas": Term(gradebook, "canvas", from_gradebook),
    "github": Term(own_list, "csv", from_csv),
}


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("term")
    change = ("# %%\nimport numpy", QUESTION)
    write_build(plan_build(write_toy(folder, change), folder / "assignments", "toy"))
    return folder


class Course:
    def __init__(self, toy: Path, folder: Path, platform: str) -> None:
        self.toy, self.folder, self.platform = toy, folder, platform
        self.term = TERMS[platform]
        self.out, self.roster = folder / "out", folder / "roster.csv"
        self.people: dict[int, Student] = {}

    def download(self, number: int, *options: str, path: Path | None = None) -> Invoked:
        handed_in = [one for one in self.people.values() if one.files]
        groups = {one.group: one for one in handed_in if one.group}
        alone = [one for one in handed_in if not one.group]
        self.term.roster(self.people.values(), self.roster)
        if path is None:
            path = self.folder / f"download {number}"
            if self.term.export == "csv":  # clones are in the same folder each week
                path = self.folder / "clones"
                shutil.rmtree(path, ignore_errors=True)
            download(self.platform, [*alone, *groups.values()], path)
            path = next(path.glob("week-3-submissions"), path)
        more: dict[str, Any] = {"roster": self.roster, "out": self.out, **self.term.options}
        if any(one.group for one in self.people.values()) and self.term.export != "moodle":
            more["groups"] = self.roster.with_name("groups.csv")
        more |= dict(zip(options[::2], options[1::2], strict=True))
        done = grade(self.toy, path, seed=1, **{"no-pages": True}, **more)
        assert done.exit_code == 0, done.output
        return done

    def marks(self, *options: str) -> dict[str, float]:
        """What the filled list holds, by id."""
        found = self.term.marks(self.filled(*options))
        return {one: float(mark) for one, mark in found.items() if mark}

    def filled(self, *options: str) -> str:
        column = ["--column", "Toy (991)"] if self.term.export == "canvas" else []
        filled = self.folder / "filled.csv"
        filled.write_bytes(self.roster.read_bytes())
        words = ["export", self.term.export, str(self.out), "--into", str(filled)]
        done = invoke([*words, *column, *options])
        assert done.exit_code == 0, done.output
        return filled.read_text(encoding="utf-8")

    def due(self, **given: float) -> dict[str, float]:
        """The right marks: the points, less ten percent a day where the platform tells the times."""
        due = {}
        for one in self.people.values():
            for file in one.files.values():
                cost = self.term.percent * one.days / 100
                due[one.id] = round(POINTS[file.decode()] * (1 - cost), 4)
        return due | {name.removeprefix("s"): points for name, points in given.items()}


@pytest.mark.parametrize("platform", TERMS)
def test_each_id_has_its_own_mark_after_each_download(
    toy: Path, tmp_path: Path, platform: str
) -> None:
    course = Course(toy, tmp_path, platform)
    course.people = {
        4: person(4, "Wei", "Wang", RIGHT),
        5: person(5, "Wei", "Wang"),
        6: person(6, "Jane", "Doe", HALF),
        7: person(7, "Dan", "Dropped", RIGHT),
        8: person(8, "Ann", "Lee"),
        9: person(9, "Bob", "Ray"),
    }
    course.download(1)
    assert course.marks() == course.due()

    # The second of the name, a group, and two who are late.
    course.people |= {
        5: person(5, "Wei", "Wang", UNCHANGED, days=2),
        6: person(6, "Jane", "Doe", RIGHT, days=1),
        8: person(8, "Ann", "Lee", UNCHANGED, group="Team A"),
        9: person(9, "Bob", "Ray", UNCHANGED, group="Team A"),
    }
    done = course.download(2)
    assert course.marks() == course.due()
    table = class_file(course.out)["students"]
    grouped = {name for name, one in table.items() if one["person"]["group"]}
    assert grouped == {"Ann Lee (00008)", "Bob Ray (00009)"}
    assert "Wei Wang (00004)" in table
    assert "Wei Wang (00005)" in table
    late = json.loads((course.out / "Wei Wang (00005)" / "results.json").read_text())
    assert ("Late without a time" in done.stdout) == (platform == "canvas")
    if platform == "moodle":
        assert late["tests"][-1]["name"] == "late"
        assert (late["tests"][-1]["score"], late["tests"][-1]["max_score"]) == (-0.4, 0)
        assert [test["score"] for test in late["tests"][:-1]] == [0, 2]

    # One is renamed, one has dropped out; a person changes marks.
    del course.people[7]
    course.people[6] = replace(course.people[6], last="Roe")
    (course.out / "overrides.csv").write_text(
        "student,step,points,reason,who\n"
        "00004,double,0.5,as agreed,Dr. No\n"
        "Jane Roe (00006),late,0,ill,Dr. No\n"
        "00009,shift,1.5,did less,Dr. No\n",
        encoding="utf-8",
    )
    done = course.download(3)
    renamed = "graded under another name (1): Jane Doe (00006), now Jane Roe (00006)."
    assert renamed in done.stdout, done.stdout
    assert "so their results stay (1): Dan Dropped (00007)." in done.stdout
    shutil.rmtree(course.out / "Dan Dropped (00007)")
    changed = {"s00004": 2.5, "s00006": 3.0, "s00009": 1.5}
    assert course.marks() == course.due(**changed)

    # A resubmission by the kit's own name, one by id alone; one is graded again; questions are marked.
    put(tmp_path / "again" / "Wei Wang (00005)" / "toy.py", RIGHT.encode())
    put(tmp_path / "again" / "00006" / "toy.py", UNCHANGED.encode())
    with (course.out / "overrides.csv").open("a", encoding="utf-8") as file:
        file.write("Wei Wang (00004),question-1,4,,Dr. No\n")
    done = course.download(4, "regrade", "Wei Wang (00005)", path=tmp_path / "again")
    course.people[5] = person(5, "Wei", "Wang", RIGHT, days=2)
    course.people[6] = person(6, "Jane", "Roe", UNCHANGED, days=1)
    changed["s00006"] = 2.0
    assert course.marks() == {"00004": 6.5}  # the others have an unmarked question
    assert "Without an answer to a question, and without a mark (4)" in done.stdout
    assert course.marks("--without-questions") == course.due(**changed)
    results = [json.loads(path.read_text()) for path in course.out.glob("*/results.json")]
    here = [one for one in results if one["extra_data"]["student"] != "Jane Doe (00006)"]
    assert {one["extra_data"]["max_score"] for one in here} == {7}


class Book:
    """Canvas's gradebook, which is filled from one folder, and into which people type."""

    def __init__(self, path: Path, source: Path) -> None:
        self.path, self.source = path, source

    def export(self) -> str:
        words = ["export", "canvas", str(self.source), "--into", str(self.path)]
        return told(invoke([*words, "--column", "Toy (991)"]))

    @property
    def marks(self) -> list[str]:
        return [*from_gradebook(self.path.read_text(encoding="utf-8")).values()]

    def type(self, number: int, old: str, new: str) -> None:
        lines = self.path.read_text(encoding="utf-8").split("\n")
        (at,) = (at for at, line in enumerate(lines) if f",{7000 + number}," in line)
        assert f",{old}," in lines[at]
        lines[at] = lines[at].replace(f",{old},", f",{new},")
        self.path.write_text("\n".join(lines), encoding="utf-8")


def told(done: Invoked) -> str:
    assert done.exit_code == 0, done.output
    return done.stdout


def change(folder: Path, *lines: str) -> None:
    (folder / "overrides.csv").write_text("\n".join(["student,step,points", *lines]))


def test_two_platforms_are_one_term_in_which_no_changed_mark_is_lost(
    toy: Path, tmp_path: Path
) -> None:
    """The second try is on Moodle; marks change in the merged folder, in a try, and in the gradebook itself."""
    works = [
        ("Ann", "Lee", HALF),
        ("Bob", "Ray", RIGHT),
        ("Cid", "Fox", UNCHANGED),
        ("Dot", "Kim", RIGHT),
    ]
    people = [person(number, *work) for number, work in enumerate(works, start=1)]
    canvas, moodle, term = (tmp_path / name for name in ("canvas", "moodle", "term"))
    download("canvas", people, tmp_path / "download" / "canvas")
    download("moodle", people[:1], tmp_path / "download" / "moodle")
    merge = ["report", str(canvas), str(moodle), "--out", str(term), "--keep", "best"]
    write_roster(people, tmp_path / "roster.csv")
    book = Book(tmp_path / "gradebook.csv", term)
    gradebook(people, book.path)
    options: dict[str, Any] = {"roster": tmp_path / "roster.csv", "seed": 1, "no-pages": True}
    told(grade(toy, tmp_path / "download" / "canvas", out=canvas, **options))
    told(grade(toy, tmp_path / "download" / "moodle", out=moodle, **options))
    change(canvas, "00002,shift,1.5")
    told(invoke(merge))
    book.export()
    assert book.marks == ["1", "2.5", "2", "3"]

    # A person changes marks where the class is merged; one is typed on the platform.
    change(term, "00004,double,0", "00004,shift,0", "3,shift,1")
    book.type(3, "2", "2.75")
    said = book.export()
    assert book.marks == ["1", "2.5", "2.75", "0"]
    assert said.index("Replaced (1):\n  Dot Kim (00004): 3 -> 0") < said.index("Typed there since")
    assert "so kept (1):\n  Cid Fox (00003): 2.75, here 2" in said
    assert "there is no student '3'. Did you mean Cid Fox (00003)? It is not applied." in said

    # The second try is graded again with better work, and an appeal succeeds.
    refused = grade(toy, tmp_path / "download" / "canvas", out=term)
    assert "was merged by `autograder report`" in refused.stderr
    put(tmp_path / "again" / "Ann Lee (00001)" / "toy.py", RIGHT.encode())
    told(grade(toy, tmp_path / "again", out=moodle, **options))
    change(canvas, "00002,shift,2")
    told(invoke(merge))
    said = book.export()
    assert book.marks == ["3", "3", "2.75", "0"]
    assert "Replaced (2):\n  Ann Lee (00001): 1 -> 3\n  Bob Ray (00002): 2.5 -> 3" in said

    # The merged folder is made anew: what was exported lies beside the gradebook.
    shutil.rmtree(term)
    told(invoke(merge))
    said = book.export()
    assert "Replaced (1):\n  Dot Kim (00004): 0 -> 3" in said  # its overrides.csv went with it
    assert "so kept (1):\n  Cid Fox (00003): 2.75, here 2" in said
    assert "Replaced" not in book.export()
    assert book.marks == ["3", "3", "2.75", "3"]
