"""The gradebook's marks are those of `autograder grade`, for notebooks and for modules, for right and wrong answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.exams import source_of
from tests.nbgrader.course import NAME, Course, make_course
from tests.nbgrader.hand_ins import hand_in_rows, sampled_rows
from tests.test_examples import MARKS
from tests.truth.stored import stored_of

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


def test_the_examples_earn_the_same_as_notebooks_and_as_modules(graded: Course) -> None:
    assert {student: f"{graded.total(student):g}" for student in MARKS} == MARKS
    modules = {student for student in graded.grades() if student.endswith("-module")} & {
        f"{student}-module" for student in MARKS
    }
    assert len(modules) >= 3
    for student in modules:
        assert graded.marks(student) == graded.marks(student.removesuffix("-module")), student


def differences(course: Course, name: str) -> dict[str, object]:
    """The marks of rows of the truth tables that are not those which `autograder grade` gives."""
    points = {check.name: check.points for check in source_of(name).assignment.checks}
    found: dict[str, object] = {}
    for student, row in sampled_rows(name).items():
        lost = {step: told.get("lost", 0) for step, told in stored_of(row).items()}
        wanted = {step: number - lost.get(step, 0) for step, number in points.items()}
        marks = course.marks(student, name)
        if marks != wanted:
            found[student] = {step: (marks.get(step), wanted[step]) for step in wanted}
    return found


def test_accepted_variants_and_known_mistakes_earn_the_same(graded: Course) -> None:
    assert len(sampled_rows(NAME)) > 10
    assert differences(graded, NAME) == {}


def test_so_they_do_in_another_assignment(tmp_path: Path) -> None:
    name = "numpy_attention"
    course = make_course(tmp_path / "project", name)
    hand_in_rows(course, name)
    course.autograde(name=name)
    assert {row.kind for row in sampled_rows(name).values()} == {"wrong", "accepted"}
    assert differences(course, name) == {}
