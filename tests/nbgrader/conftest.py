"""Courses for the tests here: one is made, the others are copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.nbgrader.course import NAME, Course, copy_course, make_course

pytest.importorskip("nbgrader")

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course with one assignment released and nobody in it. Tests copy it."""
    return make_course(tmp_path_factory.mktemp("released") / "project", NAME)


@pytest.fixture
def course(released: Course, tmp_path: Path) -> Course:
    """Such a course of one's own."""
    return copy_course(released, tmp_path / "project")


@pytest.fixture(scope="session")
def right(root: Path) -> str:
    """A module in which every step is right."""
    path = root / "examples" / "submissions" / "amara-o" / f"{NAME}.py"
    return path.read_text(encoding="utf-8")
