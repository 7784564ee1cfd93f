"""One run at a time in a folder, and no garbage collection of what lasts as long as a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.errors import UsageError
from autograder.grading.open_run import held_lock, only_run

pytestmark = pytest.mark.unit


def test_a_lock_is_free_when_it_is_left_though_somebody_still_knows_it(tmp_path: Path) -> None:
    """JupyterLab's process goes on after formgrader has graded."""
    path = tmp_path / "lock"
    first = held_lock(path, "This is graded already.")
    with (
        first,
        pytest.raises(UsageError, match="graded already"),
        held_lock(path, "This is graded already."),
    ):
        pytest.fail("two held it")
    with held_lock(path, "This is graded already."):
        assert path.exists()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    nowhere = [Path("/proc/x")] if Path("/proc/self").exists() else []
    for place in (tmp_path / "file" / "x", *nowhere):
        with pytest.raises(UsageError, match=f"The folder {place} cannot be made: ") as error:
            only_run(place).__enter__()
        assert "complete" not in str(error.value)
