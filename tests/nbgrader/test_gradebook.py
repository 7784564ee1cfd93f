"""`autograder grade --gradebook`: the same marks, straight from files."""

from __future__ import annotations

import csv
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from autograder.errors import UsageError
from autograder.nbgrader.gradebook import read_release
from tests.forking import client
from tests.nbgrader.course import NAME, ROOT, SEED, Course, filled
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
    out += ["--seed", str(SEED)]
    places = ["--solutions", str(ROOT / "solutions")]
    places += ["--assignments", str(course.root / "assignments")]
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


def examples(*names: str) -> list[Path]:
    return [ROOT / "examples" / "submissions" / name for name in names]


def test_marks_are_written_straight_from_files_again_and_again(
    course: Course, tmp_path: Path, right: str
) -> None:
    """First what the grader fails on is left blank. What a person marks stays. A roster's names are written."""
    (course.root / "course" / "gradebook.db").unlink()
    names = sorted(path.name for path in (ROOT / "examples" / "submissions").iterdir())
    files = examples(*names)

    first = run(course, *files, before=BREAK)

    assert first.returncode == 1
    assert f"Gradebook: {len(MARKS) - 1} written; left blank: bjorn-k" in first.stdout
    assert set(course.marks("bjorn-k").values()) == {None}
    assert all(grade.needs_manual for grade in course.grades()["bjorn-k"].values())

    change(course, "UPDATE grade SET manual_score = 0.5, needs_manual_grade = 0")
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "id,first name,last name\namara-o,Zoë,van der Berg\n0043,Ann,Other\n", "utf-8"
    )

    second = run(course, *files, more=["--roster", str(roster)])

    assert second.returncode == 0, second.stderr
    assert f"Gradebook: {len(MARKS)} written\n" in second.stdout
    assert "Warning" not in second.stderr
    assert "Handed in nothing (1): Ann Other" in second.stdout
    with (course.root / "out" / "grades.csv").open(encoding="utf-8") as file:
        scores = {row["student"]: row["score"] for row in csv.DictReader(file)}
    scores["amara-o"] = scores.pop("Zoë van der Berg (amara-o)")
    assert totals(course) == scores == MARKS
    grades = course.grades()
    assert {grade.manual for one in MARKS for grade in grades[one].values()} == {0.5}
    assert not any(grade.needs_manual for grade in grades["amara-o"].values())
    with closing(sqlite3.connect(course.root / "course" / "gradebook.db")) as book:
        rows = book.execute("SELECT id, first_name, last_name FROM student WHERE first_name != ''")
        assert rows.fetchall() == [("amara-o", "Zoë", "van der Berg")]

    change(course, "UPDATE base_cell SET name = 'check_old' WHERE name = 'check_project'")
    third = run(course, *files)
    assert third.returncode == 2
    assert "holds submissions of another version" in third.stderr


def test_nbgrader_goes_on_with_what_was_written(course: Course, right: str) -> None:
    """In its own gradebook: the same students, autograded there, get the same marks in the same places."""
    course.submit("alice", filled(course.release(), right))
    done = run(course, course.root / "course" / "submitted")
    assert done.returncode == 0
    assert done.stdout.endswith("Gradebook: 1 written\n")
    grades = course.marks("alice")

    course.autograde()
    course.run("generate_feedback", NAME)

    assert course.marks("alice") == grades


@pytest.mark.skipif(sys.platform != "linux", reason="this system has no such names")
def test_names_that_nbgrader_cannot_have_are_left_blank_and_named(
    course: Course, tmp_path: Path
) -> None:
    right = (ROOT / "examples" / "submissions" / "bjorn-k" / f"{NAME}.py").read_bytes()
    for name in ("anna", "Anna", "bjorn-k", "m\udcfcller"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / f"{NAME}.py").write_bytes(right)

    done = run(course, tmp_path / "class")

    assert done.returncode == 0, done.stderr
    assert "Gradebook: 1 written; left blank: Anna-1, anna-2, m\\udcfcller-1" in done.stdout
    assert course.total("bjorn-k") == 20
    assert set(course.grades()) == {"bjorn-k"}


# What is given in place of the gradebook, and what is said before anything is graded.
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    # Only in a new interpreter nbgrader is not imported yet.
    "no-nbgrader": (
        {"before": "import sys; sys.modules['nbgrader'] = None", "start": subprocess.run},
        'pip install -e ".[instructor]"',
    ),
    "no-folder": ({"url": "sqlite:////no/such/folder/gradebook.db"}, "cannot be opened"),
    "no-url": ({"url": "gradebook.db"}, "cannot be opened"),
    "public": ({"more": ["--public"]}, "a mark never rests on public checks"),
}


def test_what_cannot_be_written_is_refused_before_anything_is_graded(course: Course) -> None:
    for name, (options, words) in REFUSED.items():
        done = run(course, *examples("amara-o"), **options)
        assert done.returncode == 2, (name, done.stderr)
        assert words in done.stderr, name
        assert "Traceback" not in done.stderr, name
        assert not list(course.root.glob("out/*/results.json")), name
    (course.root / "course" / "gradebook.db").unlink()
    (course.root / "assignments" / NAME / f"{NAME}.ipynb").unlink()
    done = run(course, *examples("amara-o"))
    assert done.returncode == 2
    assert "Run `autograder build` first." in done.stderr


def test_a_release_that_is_no_notebook_is_named(tmp_path: Path) -> None:
    release = tmp_path / f"{NAME}.ipynb"
    for text in ("{", "{}", "[]", "\udce9", '{"cells": 3}'):
        release.write_bytes(text.encode("utf-8", "surrogateescape"))
        with pytest.raises(UsageError, match=rf"{NAME}\.ipynb is no notebook any more"):
            read_release(release)
