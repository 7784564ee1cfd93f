"""The gradebook's marks are those of `autograder grade`, for notebooks and for modules, for right and wrong answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.test_examples import MARKS

if TYPE_CHECKING:
    from tests.nbgrader.course import Course

pytestmark = pytest.mark.slow


def test_the_examples_earn_the_same_as_notebooks_and_as_modules(graded: Course) -> None:
    assert {student: f"{graded.total(student):g}" for student in MARKS} == MARKS
    modules = {student for student in graded.grades() if student.endswith("-module")} & {
        f"{student}-module" for student in MARKS
    }
    assert len(modules) >= 3
    for student in modules:
        assert graded.marks(student) == graded.marks(student.removesuffix("-module")), student
