"""`autograder export --gradebook`: the points that people gave in nbgrader are in the total."""

from __future__ import annotations

import csv
import io
import shutil
from typing import TYPE_CHECKING

import pytest
from nbgrader.api import Gradebook

from autograder.release.build import plan_build, write_build
from tests.command_line import Invoked, invoke
from tests.commands.test_class_folder import QUESTION, UNCHANGED
from tests.commands.test_grade import grade, hand_in
from tests.toy import RIGHT, write_toy

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # gradebooks

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Toy (4711)\n"
    "    Points Possible,,,,,7\n"
    "alice,1,a1,alice,S,\nbob,2,b2,bob,S,\n"
)


def url(project: Path) -> str:
    return f"sqlite:///{project / 'gradebook.db'}"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class whose marks are in nbgrader's gradebook; nobody has marked the open question."""
    folder = tmp_path_factory.mktemp("gradebook")
    write_build(
        plan_build(
            write_toy(folder, ("# %%\nimport numpy", QUESTION)), folder / "assignments", "toy"
        )
    )
    hand_in(folder / "class", {"alice/toy.py": RIGHT, "bob/toy.py": UNCHANGED})
    options = {"gradebook": url(folder), "assignments": folder / "assignments", "no-pages": True}
    done = grade(folder, folder / "class", **options)
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def project(first: Path, tmp_path: Path) -> Path:
    shutil.copytree(first, tmp_path, dirs_exist_ok=True)
    return tmp_path


def mark(project: Path, student: str, points: float, extra: float | None = None) -> None:
    """Mark the question as a person does in nbgrader's formgrader."""
    with Gradebook(url(project)) as book:
        grade = book.find_grade("question-1", "toy", "toy", student)
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = points, extra, False
        book.db.commit()


def export(project: Path, name: str, *options: str) -> Invoked:
    return invoke(["export", name, str(project / "out"), *options])


def scores(done: Invoked) -> dict[str, tuple[str, str]]:
    assert done.exit_code == 0, done.output
    rows = csv.DictReader(io.StringIO(done.stdout))
    return {row["student"]: (row["score"], row["max_score"]) for row in rows}


@pytest.mark.slow
def test_points_of_a_person_are_in_the_total_and_open_questions_are_named(project: Path) -> None:
    mark(project, "alice", 3.5)
    done = export(project, "csv", "--gradebook", url(project))
    assert scores(done) == {"alice": ("6.5", "7"), "bob": ("", "7")}
    assert "With a question that nobody has marked yet: bob." in done.stderr
    done = export(project, "csv", "--gradebook", url(project), "--without-questions")
    assert scores(done) == {"alice": ("3", "3"), "bob": ("2", "3")}
    assert scores(export(project, "csv")) == {"alice": ("3", "3"), "bob": ("2", "3")}


def test_extra_credit_counts_and_zero_is_a_mark(project: Path) -> None:
    mark(project, "alice", 4, extra=1)
    mark(project, "bob", 0)
    done = export(project, "csv", "--gradebook", url(project))
    assert scores(done) == {"alice": ("8", "7"), "bob": ("2", "7")}
    assert done.stderr == ""


def test_a_column_of_canvas_gets_the_whole_total(project: Path) -> None:
    mark(project, "alice", 3.5)
    mark(project, "bob", 1)
    (project / "canvas.csv").write_text(CANVAS)
    done = export(
        project, "canvas", "--into", str(project / "canvas.csv"), "--gradebook", url(project)
    )
    assert done.exit_code == 0, done.output
    with (project / "canvas.csv").open() as file:
        assert [row[-1] for row in csv.reader(file)] == ["Toy (4711)", "7", "6.5", "3"]


def test_overrides_go_before_the_gradebook(project: Path) -> None:
    mark(project, "alice", 3.5)
    mark(project, "bob", 1)
    rows = ["student,step,points,reason,who", "alice,question-1,2,second look,Dr. Roe"]
    (project / "out" / "overrides.csv").write_text("\n".join(rows))
    assert grade(project, project / "class", **{"no-pages": True}).exit_code == 0
    done = export(project, "csv", "--gradebook", url(project))
    assert scores(done) == {"alice": ("5", "7"), "bob": ("3", "7")}
    assert scores(export(project, "csv")) == {"alice": ("5", "7"), "bob": ("", "7")}


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (
            "sqlite:///nowhere/gradebook.db",
            "The gradebook sqlite:///nowhere/gradebook.db cannot be read: ",
        ),
        ("gradebook.db", "The gradebook gradebook.db cannot be read: "),
    ],
)
def test_a_gradebook_that_is_not_there_is_not_created(
    project: Path, address: str, words: str
) -> None:
    done = export(project, "csv", "--gradebook", address)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr


def test_a_gradebook_of_another_course_is_refused(project: Path) -> None:
    other = f"sqlite:///{project / 'other.db'}"
    with Gradebook(other) as book:
        book.add_student("alice")
    done = export(project, "csv", "--gradebook", other)
    assert done.exit_code == 2
    assert "has no assignment 'toy'" in done.stderr
    (project / "text.db").write_text("this is no database " * 100)
    broken = export(project, "csv", "--gradebook", f"sqlite:///{project / 'text.db'}")
    assert broken.exit_code == 2
    assert "cannot be read" in broken.stderr
