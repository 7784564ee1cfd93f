"""Courses for the tests here: one is made, the others are copies."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tests.nbgrader.course import NAME, Course, copy_course, make_course
from tests.nbgrader.hand_ins import DUE, SETTINGS, hand_in_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Once = Callable[[str, Callable[[Path], object]], Path]

collect_ignore_glob = [] if find_spec("nbgrader") else ["test_*.py"]

SET_DUE_DATE = """\
from nbgrader.apps import NbGraderAPI, NbGrader
app = NbGrader(); app.initialize([])
with NbGraderAPI(app.coursedir, parent=app).gradebook as book:
    book.update_or_create_assignment({name!r}, duedate={due!r})
"""


@pytest.fixture(scope="session")
def released(once: Once) -> Course:
    """A course with one assignment released and nobody in it. Tests copy it."""
    made = once("released", lambda folder: make_course(folder / "project", NAME))
    return Course(made / "project")


@pytest.fixture
def course(released: Course, tmp_path: Path) -> Course:
    """Such a course of one's own, whose exam is drawn from the seed that all these tests share."""
    return copy_course(released, tmp_path / "project")


@pytest.fixture(scope="session")
def right(root: Path) -> str:
    path = root / "examples" / "submissions" / "amara-o" / f"{NAME}.py"
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def graded(released: Course, right: str, once: Once) -> Course:
    """A large class, graded by one command, where no kernel can be started. Tests only look at it."""
    made = once("class", lambda folder: grade_class(released, folder / "project", right))
    return Course(made / "project")


def grade_class(released: Course, folder: Path, right: str) -> None:
    """Hand in, grade, and make the pages that the tests look at."""
    course = copy_course(released, folder)
    course.configure(SETTINGS)
    course.python(SET_DUE_DATE.format(name=NAME, due=DUE))
    hand_in_all(course, right)
    said = course.autograde()
    (folder / "said.txt").write_text(said, encoding="utf-8")
    course.run("generate_feedback", NAME, "--CourseDirectory.student_id=page-*")


@pytest.fixture(scope="session")
def said(graded: Course) -> str:
    return (graded.root / "said.txt").read_text(encoding="utf-8")
