"""Courses for the tests here: one is made, the others are copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.grading.run_seed import find_run
from tests.forking.kept import SEED
from tests.nbgrader.course import NAME, Course, copy_course, make_course

pytest.importorskip("nbgrader")

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from autograder.assignment.source import Source


@pytest.fixture(scope="session")
def released(once: Callable[[str, Callable[[Path], object]], Path]) -> Course:
    """A course with one assignment released and nobody in it. Tests copy it."""
    made = once("released", lambda folder: make_course(folder / "project", NAME))
    return Course(made / "project")


@pytest.fixture
def course(released: Course, source: Source, tmp_path: Path) -> Course:
    """Such a course of one's own, whose exam is drawn from the seed that all these tests share."""
    course = copy_course(released, tmp_path / "project")
    home = course.root / "course" / ".autograder" / NAME
    find_run(home, source.assignment, source.digest, seed=SEED, fresh=False).write(home)
    return course


@pytest.fixture(scope="session")
def right(root: Path) -> str:
    """A module in which every step is right."""
    path = root / "examples" / "submissions" / "amara-o" / f"{NAME}.py"
    return path.read_text(encoding="utf-8")
