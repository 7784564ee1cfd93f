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
from tests.commands.test_class_folder import QUESTION, UNCHANGED
from tests.commands.test_grade import grade
from tests.submission.class_downloads import put
from tests.toy import DOUBLE, RIGHT, write_toy

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


@dataclass(frozen=True)
class Person:
    """One of the class; `file` is what is handed in now, `days` how late it is."""

    number: int
    first: str
    last: str
    file: str = ""
    days: int = 0
    group: str = ""

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def id(self) -> str:
        return f"{1000 + self.number}"


@dataclass
class Term:
    """A platform: how it packs a download, which list it gives, and how its list is filled."""

    pack: Callable[[Iterable[Person], Path], None]
    roster: Callable[[Iterable[Person], Path], None]
    export: str
    marks: Callable[[str], dict[str, str]]
    percent: float = 0.0
    options: dict[str, Any] = field(default_factory=dict)


def rows(*lines: Iterable[object]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(lines)
    return text.getvalue().encode()


# Moodle: mod/assign/classes/downloader.php, gradingtable.php, feedback/offline/importgradeslib.php.


def moodle(people: Iterable[Person], folder: Path) -> None:
    for one in people:
        who = f"{one.group}_55" if one.group else f"{one.name}_{204000 + one.number}"
        put(folder / f"{who}_assignsubmission_file" / "toy.py", one.file.encode())


def worksheet(people: Iterable[Person], path: Path) -> None:
    head = "Identifier,Full name,ID number,Email address,Status,Group,Grade,Maximum Grade"
    more = "Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments"
    lines = [
        [f"Participant {204000 + one.number}", one.name, one.id, f"s{one.id}@example.org",
         "Submitted for grading" if one.file else "No submission", one.group or "Default group",
         "", "7.00", "Yes", TIMES[one.days] if one.file else "-", "-", ""]
        for one in people
    ]  # fmt: skip
    put(path, rows(f"{head},{more}".split(","), *lines))


def from_worksheet(text: str) -> dict[str, str]:
    """As Moodle reads it: the number after the word of the first column, and the column Grade."""
    lines = csv.DictReader(io.StringIO(text))
    numbers = {row["Identifier"].partition("Participant ")[2]: row["Grade"] for row in lines}
    return {str(int(number) - 204000 + 1000): grade for number, grade in numbers.items()}


# Canvas: lib/content_zipper.rb; gradebook_importer.rb finds a row by the column ID.


def canvas(people: Iterable[Person], folder: Path) -> None:
    for one in people:
        name = one.group or f"{one.last}, {one.first}"
        plain = "".join(filter(str.isalnum, name.lower()))
        late = "_LATE" if one.days else ""
        put(
            folder / f"{plain}{late}_{7000 + one.number}_{90000 + one.number}_toy.py",
            one.file.encode(),
        )


def gradebook(people: Iterable[Person], path: Path) -> None:
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Toy (991)", "Current Score"]
    lines = [
        [f"{one.last}, {one.first}", 7000 + one.number, one.id, f"u{one.id}", "A", "", ""]
        for one in people
    ]
    put(path, rows(head, ["    Points Possible", "", "", "", "", 7, "(read only)"], *lines))
    groups = ["name", "canvas_user_id", "user_id", "login_id", "sections", "group_name"]
    members = [
        [one.name, 7000 + one.number, one.id, f"u{one.id}", "A", one.group, 31, ""]
        for one in people
        if one.group
    ]
    put(path.with_name("groups.csv"), rows([*groups, "canvas_group_id", "group_id"], *members))


def from_gradebook(text: str) -> dict[str, str]:
    """As Canvas reads it: the id of the user, and the column with the assignment's number."""
    lines = [row for row in csv.DictReader(io.StringIO(text)) if row["ID"]]
    return {str(int(row["ID"]) - 7000 + 1000): row["Toy (991)"] for row in lines}


# GitHub: one repository for each student or group; the list is the instructor's own.


def github(people: Iterable[Person], folder: Path) -> None:
    for one in people:
        login = one.group.lower().replace(" ", "-") or f"user-{one.number}"
        put(folder / "toy-submissions" / f"toy-{login}" / "toy.py", one.file.encode())


def own_list(people: Iterable[Person], path: Path) -> None:
    head = ["id", "name", "email", "github username"]
    lines = [[one.id, one.name, f"s{one.id}@example.org", f"user-{one.number}"] for one in people]
    put(path, rows(head, *lines))
    members = [[one.group.lower().replace(" ", "-"), one.id] for one in people if one.group]
    put(path.with_name("groups.csv"), rows(["group", "student"], *members))


def from_csv(text: str) -> dict[str, str]:
    return {row["id"]: row["score"] for row in csv.DictReader(io.StringIO(text))}


LATE = {"late-penalty": "10%/day", "deadline": "2026-05-01T23:59+00:00"}
TERMS = {
    "moodle": Term(moodle, worksheet, "moodle", from_worksheet, 10, LATE),
    "canvas": Term(canvas, gradebook, "canvas", from_gradebook),
    "github": Term(github, own_list, "csv", from_csv),
}


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("term")
    change = ("# %%\nimport numpy", QUESTION)
    write_build(plan_build(write_toy(folder, change), folder / "assignments", "toy"))
    return folder


class Course:
    def __init__(self, toy: Path, folder: Path, term: Term) -> None:
        self.toy, self.folder, self.term = toy, folder, term
        self.out, self.roster = folder / "out", folder / "roster.csv"
        self.people: dict[int, Person] = {}

    def download(self, number: int, *options: str, path: Path | None = None) -> Invoked:
        handed_in = [one for one in self.people.values() if one.file]
        groups = {one.group: one for one in handed_in if one.group}
        alone = [one for one in handed_in if not one.group]
        self.term.roster(self.people.values(), self.roster)
        if path is None:
            path = self.folder / f"download {number}"
            if self.term.export == "csv":  # clones are in the same folder each week
                path = self.folder / "clones"
                shutil.rmtree(path, ignore_errors=True)
            self.term.pack([*alone, *groups.values()], path)
            path = next(path.glob("toy-submissions"), path)
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
            if one.file:
                cost = self.term.percent * one.days / 100
                due[one.id] = round(POINTS[one.file] * (1 - cost), 4)
        return due | {name.removeprefix("s"): points for name, points in given.items()}


@pytest.mark.parametrize("platform", TERMS)
def test_each_id_has_its_own_mark_after_each_download(
    toy: Path, tmp_path: Path, platform: str
) -> None:
    course = Course(toy, tmp_path, TERMS[platform])
    course.people = {
        4: Person(4, "Wei", "Wang", RIGHT),
        5: Person(5, "Wei", "Wang"),
        6: Person(6, "Jane", "Doe", HALF),
        7: Person(7, "Dan", "Dropped", RIGHT),
        8: Person(8, "Ann", "Lee"),
        9: Person(9, "Bob", "Ray"),
    }
    course.download(1)
    assert course.marks() == course.due()

    # The second of the name, a group, and two who are late.
    course.people |= {
        5: Person(5, "Wei", "Wang", UNCHANGED, days=2),
        6: Person(6, "Jane", "Doe", RIGHT, days=1),
        8: Person(8, "Ann", "Lee", UNCHANGED, group="Team A"),
        9: Person(9, "Bob", "Ray", UNCHANGED, group="Team A"),
    }
    done = course.download(2)
    assert course.marks() == course.due()
    table = class_file(course.out)["students"]
    grouped = {name for name, one in table.items() if one["person"]["group"]}
    assert grouped == {"Ann Lee (1008)", "Bob Ray (1009)"}
    assert "Wei Wang (1004)" in table
    assert "Wei Wang (1005)" in table
    late = json.loads((course.out / "Wei Wang (1005)" / "results.json").read_text())
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
        "1004,double,0.5,as agreed,Dr. No\n"
        "Jane Roe (1006),late,0,ill,Dr. No\n"
        "1009,shift,1.5,did less,Dr. No\n",
        encoding="utf-8",
    )
    done = course.download(3)
    gone = ["Dan Dropped (1007)"] if platform == "github" else []
    names = ", ".join([*gone, "Jane Doe (1006)"])
    assert f"has another name ({len(gone) + 1}): {names}." in done.stdout
    if platform != "github":
        assert "Results of other paths are kept (1): Dan Dropped (1007)." in done.stdout
    changed = {"s1004": 2.5, "s1006": 3.0, "s1009": 1.5}
    assert course.marks() == course.due(**changed)

    # A resubmission by the kit's own name, one by id alone; one is graded again; questions are marked.
    put(tmp_path / "again" / "Wei Wang (1005)" / "toy.py", RIGHT.encode())
    put(tmp_path / "again" / "1006" / "toy.py", UNCHANGED.encode())
    with (course.out / "overrides.csv").open("a", encoding="utf-8") as file:
        file.write("Wei Wang (1004),question-1,4,,Dr. No\n")
    done = course.download(4, "regrade", "Wei Wang (1005)", path=tmp_path / "again")
    course.people[5] = replace(course.people[5], file=RIGHT)
    course.people[6] = replace(course.people[6], file=UNCHANGED)
    changed["s1006"] = 2.0
    assert course.marks() == {"1004": 6.5}  # the others have an unmarked question
    open_ = 4 if platform == "github" else 5  # with Dan, whose file is still there
    assert f"With a question that nobody has marked yet ({open_})" in done.stdout
    assert course.marks("--without-questions") == course.due(**changed)
    results = [json.loads(path.read_text()) for path in course.out.glob("*/results.json")]
    former = ("Dan Dropped (1007)", "Jane Doe (1006)")
    here = [one for one in results if one["extra_data"]["student"] not in former]
    assert {one["extra_data"]["max_score"] for one in here} == {7}
