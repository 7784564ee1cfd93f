"""One run at a time in a folder, and no garbage collection of what lasts as long as a run."""

from __future__ import annotations

import gc
import pickle
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.assignment.source import load_source
from autograder.errors import UsageError
from autograder.grading.open_run import Setting, frozen_gc, held_lock, only_run, unbuilt
from autograder.sandbox.limits import Limits

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


def test_a_source_that_build_would_refuse_is_said(root: Path, tmp_path: Path) -> None:
    """The project's own assignment is built."""
    name = "numpy_attention"
    folder = shutil.copytree(root / "solutions", tmp_path / "solutions") / name
    assert unbuilt(load_source(folder)) == ""
    path = folder / f"{name}.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("keepdims=True", "keepdims=1"), encoding="utf-8")
    assert unbuilt(load_source(folder)) == "it has changed since it was built."
    with (folder / "hints.toml").open("a") as file:
        file.write('[nothing]\nnudge = "?"\n')
    assert unbuilt(load_source(folder)).startswith("hints.toml: ")


@pytest.mark.unit
def test_a_setting_that_travels_again_is_read_once() -> None:
    setting = Setting(
        "toy", Path("solutions"), Path("out"), Limits(), (), False, "--allow-degraded"
    )
    first, again = (pickle.loads(pickle.dumps(setting)) for _ in range(2))
    assert first == setting
    assert first is again
    other = replace(setting, seed=7)
    assert pickle.loads(pickle.dumps(other)) == other != setting
