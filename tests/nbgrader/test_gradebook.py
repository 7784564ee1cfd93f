"""`autograder grade --gradebook`: the same marks, straight from files."""

from __future__ import annotations

import csv
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from autograder.errors import UsageError
from autograder.nbgrader.gradebook import read_release
from tests.forking import client
from tests.nbgrader.course import NAME, ROOT, Course, filled
from tests.test_examples import MARKS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

pytestmark = pytest.mark.slow

BREAK = """\
import autograder.grading.task as one
whole = one.grade
def grade(exam, submission, *rest, **options):
    if submission.student == "bjorn-k":
        raise RuntimeError("the grader is broken")
    return whole(exam, submission, *rest, **options)
one.grade = grade
"""


def run(
    course: Course,
    *paths: Path,
    before: str = "",
    more: Sequence[str] = (),
    url: str = "",
    start: Callable[..., subprocess.CompletedProcess[str]] = client.run,
) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, in no activated environment, after some lines of Python."""
    script = f"{before}\nfrom autograder.cli import main\nmain()"
    out = ["--assignment", NAME, "--out", str(course.root / "out"), "--timeout", "2"]
    places = [
        "--solutions",
        str(course.solutions),
        "--assignments",
        str(course.root / "assignments"),
    ]
    gradebook = ["--gradebook", url or f"sqlite:///{course.root / 'course' / 'gradebook.db'}"]
    words = ["grade", *map(str, paths), *out, *places, *gradebook, *more]
    return start(
        [sys.executable, "-c", script, *words],
        cwd=course.root,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )


def change(course: Course, statement: str) -> None:
    with closing(sqlite3.connect(course.root / "course" / "gradebook.db")) as book, book:
        book.execute(statement)


def totals(course: Course) -> dict[str, str]:
    return {student: f"{course.total(student):g}" for student in course.grades()}


@pytest.fixture(params=["released", "new"])
def any_course(request: pytest.FixtureRequest, course: Course) -> Course:
    """A course whose gradebook nbgrader made, and one that has none yet."""
    if request.param == "new":
        (course.root / "course" / "gradebook.db").unlink()
    return course


def test_marks_are_written_straight_from_files_again_and_again(any_course: Course) -> None:
    first = run(any_course, ROOT / "examples" / "submissions")
    assert first.returncode == 0, first.stderr
    assert first.stdout.endswith(f"Gradebook: {len(MARKS)} written\n")
    assert "Warning" not in first.stderr
    with (any_course.root / "out" / "grades.csv").open(encoding="utf-8") as file:
        assert totals(any_course) == {row["student"]: row["score"] for row in csv.DictReader(file)}
    grades = any_course.grades()

    second = run(any_course, ROOT / "examples" / "submissions")

    assert second.returncode == 0, second.stderr
    assert any_course.grades() == grades


def test_nbgrader_goes_on_with_what_was_written(course: Course, right: str) -> None:
    """The same students, autograded there: the same marks, in the same places."""
    course.submit("alice", filled(course.release(), right))
    assert run(course, course.root / "course" / "submitted").returncode == 0
    grades = course.marks("alice")

    course.autograde()
    course.run("generate_feedback", NAME)

    assert course.marks("alice") == grades


def test_names_of_the_roster_are_in_the_gradebook(
    course: Course, tmp_path: Path, right: str
) -> None:
    course.submit("0042", filled(course.release(), right))
    roster = tmp_path / "roster.csv"
    roster.write_text("id,first name,last name\n0042,Zoë,van der Berg\n0043,Ann,Other\n", "utf-8")

    done = run(course, course.root / "course" / "submitted", more=["--roster", str(roster)])

    assert done.returncode == 0, done.stderr
    assert "Handed in nothing (1): Ann Other" in done.stdout
    with closing(sqlite3.connect(course.root / "course" / "gradebook.db")) as book:
        rows = book.execute("SELECT id, first_name, last_name FROM student").fetchall()
    assert rows == [("0042", "Zoë", "van der Berg")]


def test_manual_grades_stay(course: Course) -> None:
    files = ROOT / "examples" / "submissions" / "amara-o"
    run(course, files)
    change(course, "UPDATE grade SET manual_score = 0.5, needs_manual_grade = 0")

    assert run(course, files, more=["--fresh"]).returncode == 0

    grades = course.grades()["amara-o"].values()
    assert {grade.manual for grade in grades} == {0.5}
    assert not any(grade.needs_manual for grade in grades)


def test_what_is_ungraded_is_left_blank_and_named(course: Course) -> None:
    submissions = [ROOT / "examples" / "submissions" / name for name in ("amara-o", "bjorn-k")]

    done = run(course, *submissions, before=BREAK)

    assert done.returncode == 1
    assert "Gradebook: 1 written; left blank: bjorn-k" in done.stdout
    assert set(course.marks("bjorn-k").values()) == {None}
    assert all(grade.needs_manual for grade in course.grades()["bjorn-k"].values())
    assert run(course, *submissions).returncode == 0
    assert course.total("bjorn-k") == 20


@pytest.mark.skipif(sys.platform != "linux", reason="this system has no such names")
def test_a_name_that_is_nobodys_stays_out_of_the_gradebook(course: Course, tmp_path: Path) -> None:
    right = (ROOT / "examples" / "submissions" / "bjorn-k" / f"{NAME}.py").read_bytes()
    for name in ("anna", "Anna", "bjorn-k", "m\udcfcller"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / f"{NAME}.py").write_bytes(right)

    done = run(course, tmp_path / "class")

    assert done.returncode == 0, done.stderr
    assert "Gradebook: 1 written; left blank: Anna-1, anna-2, m\\udcfcller-1" in done.stdout
    assert course.total("bjorn-k") == 20
    assert set(course.grades()) == {"bjorn-k"}


@pytest.mark.parametrize(
    ("before", "more", "url", "words"),
    [
        (
            "import sys; sys.modules['nbgrader'] = None",
            [],
            "",
            'pip install -e ".[instructor]"',
        ),
        ("", [], "sqlite:////no/such/folder/gradebook.db", "cannot be opened"),
        ("", [], "gradebook.db", "cannot be opened"),
        ("", ["--public"], "", "a mark never rests on public checks"),
    ],
    ids=["no-nbgrader", "no-folder", "no-url", "public"],
)
def test_what_cannot_be_written_is_refused_before_anything_is_graded(
    course: Course, before: str, more: list[str], url: str, words: str
) -> None:
    path = ROOT / "examples" / "submissions" / "amara-o"
    # Only in a new interpreter nbgrader is not imported yet.
    start = subprocess.run if before else client.run
    done = run(course, path, before=before, more=more, url=url, start=start)
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(course.root.glob("out/*/results.json"))


def test_another_version_of_the_assignment_in_the_gradebook_is_refused(course: Course) -> None:
    files = ROOT / "examples" / "submissions" / "amara-o"
    run(course, files)
    change(course, "UPDATE base_cell SET name = 'check_old' WHERE name = 'check_project'")

    done = run(course, files)

    assert done.returncode == 2
    assert "holds submissions of another version" in done.stderr


def test_a_release_that_is_missing_is_named(course: Course) -> None:
    (course.root / "course" / "gradebook.db").unlink()
    (course.root / "assignments" / NAME / f"{NAME}.ipynb").unlink()
    done = run(course, ROOT / "examples" / "submissions" / "amara-o")
    assert done.returncode == 2
    assert "Run `autograder build` first." in done.stderr


@pytest.mark.parametrize("text", ["{", "{}", "[]", "\udce9", '{"cells": 3}'])
def test_a_release_that_is_no_notebook_is_named(tmp_path: Path, text: str) -> None:
    release = tmp_path / f"{NAME}.ipynb"
    release.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageError, match=rf"{NAME}\.ipynb is no notebook any more"):
        read_release(release)
