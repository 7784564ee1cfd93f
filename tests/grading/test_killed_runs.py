"""A run that is killed again and again ends with the results of one that was left alone."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from tests.grading.killed_runs import kill_runs, timeless, write_project

if TYPE_CHECKING:
    from pathlib import Path

KILLS = int(os.environ.get("KILLS", "2"))
SUBMISSIONS = 8 * KILLS


@pytest.mark.slow  # several whole commands
@pytest.mark.skipif(os.name != "posix", reason="no kill -9 here")
def test_killed_runs_end_with_the_results_of_an_undisturbed_one(tmp_path: Path) -> None:
    write_project(tmp_path, SUBMISSIONS)
    kill_runs(tmp_path, tmp_path / "undisturbed", 0, random.Random(0))
    done = kill_runs(tmp_path, tmp_path / "killed", KILLS, random.Random(7))
    assert done.killed.total() == KILLS, done
    assert done.lost == []
    assert len(list((tmp_path / "killed").glob("*/results.json"))) == SUBMISSIONS
    assert timeless(tmp_path / "killed") == timeless(tmp_path / "undisturbed")
