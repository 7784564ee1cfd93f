"""What nbgrader takes from a student's folder."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from nbgrader.coursedir import CourseDirectory

from autograder.nbgrader.collected import TIMESTAMP, files_to_copy, hand_in_time

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_time_that_does_not_count_is_said_once_for_each_student(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "submitted" / "ann" / "toy"
    folder.mkdir(parents=True)
    (folder / TIMESTAMP).write_text("2026-05-01 10:00:00 UTC")
    (folder / "toy.py").touch()
    course = CourseDirectory()
    course.root = str(tmp_path)
    course.log = logging.getLogger("course")
    files = [str(path) for path in folder.iterdir()]
    assert hand_in_time(course, str(folder)) is None
    assert files_to_copy(course, str(folder), files) == [str(folder / "toy.py")]
    assert caplog.text.count("is ignored: the exchange did not write it.") == 1
