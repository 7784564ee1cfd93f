"""One run at a time, and the next as soon as it has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from autograder.errors import UsageError
from autograder.grading.only_run import held_lock

if TYPE_CHECKING:
    from pathlib import Path


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
