"""One run at a time in a folder, and no garbage collection of what lasts as long as a run."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.errors import UsageError
from autograder.grading.open_run import frozen_gc, held_lock, only_run

TELLS_THE_LAST = """\
import gc, sys
from autograder.grading.open_run import frozen_gc
with frozen_gc():
    kept = [[] for _ in range(1000)]
gc.unfreeze()
later = [[] for _ in range(1000)]
gc.callbacks.append(lambda phase, about: phase == "start" or sys.stderr.write(f"{len(gc.get_objects())}\\n"))
"""


@pytest.mark.unit
def test_nothing_is_looked_through_while_it_is_made_or_later() -> None:
    before = gc.get_count()[0], gc.get_freeze_count()
    try:
        with frozen_gc():
            assert not gc.isenabled()
            thing: list[object] = []
            assert any(one is thing for one in gc.get_objects())
        assert gc.isenabled()
        assert gc.get_freeze_count() > before[1]
        assert not any(one is thing for one in gc.get_objects())
    finally:
        gc.unfreeze()


@pytest.mark.unit
def test_an_error_leaves_the_collector_as_it_was() -> None:
    with pytest.raises(ValueError, match="broken"), frozen_gc():
        raise ValueError("broken")
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_at_the_end_of_the_process_everything_stays_as_it_is() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TELLS_THE_LAST], capture_output=True, text=True, check=True
    )
    counts = [int(line) for line in done.stderr.splitlines()]
    assert counts
    assert max(counts) < 1000


@pytest.mark.unit
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


@pytest.mark.unit
def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    nowhere = [Path("/proc/x")] if Path("/proc/self").exists() else []
    for place in (tmp_path / "file" / "x", *nowhere):
        with pytest.raises(UsageError, match=f"The folder {place} cannot be made: ") as error:
            only_run(place).__enter__()
        assert "complete" not in str(error.value)
