"""The gradebook's marks are those of `autograder grade`, for notebooks and for modules, for right and wrong answers."""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING

import pytest

from tests.exams import ASSIGNMENTS
from tests.forking import client
from tests.nbgrader.course import NAME, Course, code_cell, copy_course, filled, make_course
from tests.test_examples import MARKS
from tests.truth.variant import base_of, submission, table

if TYPE_CHECKING:
    from pathlib import Path

# One in so many of the known mistakes, and of the accepted variants: each is judged by the same grader.
SAMPLE = 12
SAMPLE_OF_ACCEPTED = 6


def grade_by_command(course: Course, out: Path, name: str) -> dict[str, dict[str, float]]:
    """What `autograder grade` gives the same submissions, by student and step."""
    command = [
        sys.executable,
        "-m",
        "autograder.cli",
        "grade",
        str(course.root / "course/submitted"),
    ]
    options = ["--assignment", name, "--out", str(out), "--timeout", "3"]
    root = ["--solutions", str(course.solutions)]
    client.run([*command, *options, *root], check=True, capture_output=True)
    with (out / "grades.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    fixed = ("student", "assignment", "score", "max_score", "status", "id", "group", "late")
    return {
        row["student"]: {step: float(mark) for step, mark in row.items() if step not in fixed}
        for row in rows
    }


def by_nbgrader(
    course: Course, students: list[str], name: str
) -> dict[str, dict[str, float | None]]:
    return {student: course.marks(student, name) for student in students}


@pytest.mark.slow
def test_the_examples_earn_the_same_as_notebooks_and_as_modules(
    released: Course, root: Path, tmp_path: Path
) -> None:
    course = copy_course(released, tmp_path / "project")
    course.configure("c.GradingExporter.timeout = 3")
    for path in sorted((root / "examples" / "submissions").iterdir()):
        file = path if path.is_file() else next(path.iterdir())
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".ipynb":
            course.submit(path.stem, text)
        else:
            course.submit(path.stem, filled(course.release(), text))
            course.submit(f"{path.stem}-module", module=text)

    course.autograde()

    marks = by_nbgrader(course, sorted(course.grades()), NAME)
    assert {student.removesuffix("-module") for student in marks} == MARKS.keys()
    assert len(marks) == 2 * len(MARKS) - 1
    totals = {student: f"{course.total(student):g}" for student in MARKS}
    assert totals == MARKS
    assert marks == grade_by_command(course, tmp_path / "out", NAME)


@pytest.mark.slow
def test_a_line_that_does_not_end_costs_nothing(released: Course, tmp_path: Path) -> None:
    course = copy_course(released, tmp_path / "project")
    course.configure("c.GradingExporter.timeout = 3")
    text = f"{base_of(NAME)}\n\nwhile True: pass\n"
    notebook = filled(course.release(), text)
    notebook["cells"].append(code_cell("training", "import os\nwhile True: pass\nos._exit(0)"))
    course.submit("notebook", notebook)
    course.submit("module", module=text)

    course.autograde()

    assert [course.total(student) for student in ("notebook", "module")] == [20, 20]
    ended = "did not end within 0.6 seconds of computing time"
    assert ended in course.said("notebook")
    assert "ended the Python process." in course.said("notebook")
    assert ended in course.said("module")


@pytest.mark.slow
@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_accepted_variants_and_known_mistakes_earn_the_same(name: str, tmp_path: Path) -> None:
    course = make_course(tmp_path / "project", name)
    accepted = [variant for one, variant in table("accepted") if one == name]
    accepted = accepted[::SAMPLE_OF_ACCEPTED]
    wrong = [variant for one, variant in table("wrong") if one == name][::SAMPLE]
    for kind, variants in (("right", accepted), ("wrong", wrong)):
        for variant in variants:
            notebook = filled(course.release(name), submission(base_of(name), variant))
            course.submit(f"{kind}-{variant.name}", notebook, name=name)

    course.autograde(name=name)

    marks = by_nbgrader(course, sorted(course.grades(name)), name)
    assert len(marks) == len(accepted) + len(wrong)
    assert marks == grade_by_command(course, tmp_path / "out", name)
    full = max(sum(filter(None, one.values())) for one in marks.values())
    totals = {student: sum(filter(None, one.values())) for student, one in marks.items()}
    assert {totals[f"right-{variant.name}"] for variant in accepted} == {full}
    assert sum(totals[f"wrong-{variant.name}"] < full for variant in wrong) > len(wrong) / 2
