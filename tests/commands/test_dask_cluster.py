"""Grading on a Dask cluster of real processes gives what grading on one machine gives."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.commands.dask_cluster import (
    dask_cluster,
    start_scheduler,
    start_worker,
    wait_for_workers,
)
from tests.commands.test_grade import CLASS, eventually, grade, hand_in, start, timeless
from tests.toy import CASES, DOUBLE, RIGHT, SHIFT, write_toy

if TYPE_CHECKING:
    from collections.abc import Iterator

DASK: dict[str, Any] = {"engine": "dask", "seed": 1, "no-pages": True}
LOCAL: dict[str, Any] = {"seed": 1, "no-pages": True}
SLEEPS = f"import time\n\nSTART = 0.5\n\n{DOUBLE}\n\n{SHIFT.replace('return', 'time.sleep(0.5); return')}"
TWELVE = {f"s{number:02}/toy.py": SLEEPS for number in range(12)}
WITHOUT_SECCOMP = """
from autograder.sandbox.layers.status import not_here
from autograder.sandbox.warm import WarmSandbox

whole = WarmSandbox.status
WarmSandbox.status = lambda sandbox: whole(sandbox) | {"seccomp": not_here("no such kernel")}
"""


pytestmark = pytest.mark.slow  # schedulers and workers in processes of their own


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    write_toy(folder)
    hand_in(folder / "class", CLASS)
    return folder


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with dask_cluster(2, cwd=Path(tempfile.gettempdir())) as address:
        yield address


def test_a_cluster_gives_the_results_of_one_machine(
    project: Path, scheduler: str, tmp_path: Path
) -> None:
    here = grade(project, project / "class", out=tmp_path / "here", **LOCAL)
    there = grade(project, project / "class", out=tmp_path / "there", scheduler=scheduler, **DASK)
    assert (here.exit_code, there.exit_code, there.stderr) == (0, 0, "")
    assert len(timeless(tmp_path / "there")) == len(CLASS)
    assert timeless(tmp_path / "there") == timeless(tmp_path / "here")
    again = grade(project, project / "class", out=tmp_path / "there", scheduler=scheduler, **DASK)
    assert f"{len(CLASS)} kept" in again.stdout


@pytest.mark.skipif(os.name != "posix", reason="no kill -9 here")
def test_what_a_killed_worker_had_is_graded_by_another(project: Path, tmp_path: Path) -> None:
    hand_in(tmp_path / "class", TWELVE)
    with dask_cluster(1) as address, ExitStack() as stack:
        victim = start_worker(stack, address, tmp_path)
        wait_for_workers(address, 2)
        options = {"out": tmp_path / "there", "scheduler": address, **DASK}
        run = start(project, tmp_path / "class", **options)
        eventually(lambda: len(list((tmp_path / "there").glob("*/results.json"))) > 2)
        victim.kill()
        _, errors = run.communicate(timeout=300)
    assert run.returncode == 0, errors
    assert grade(project, tmp_path / "class", out=tmp_path / "here", **LOCAL).exit_code == 0
    assert len(timeless(tmp_path / "here")) == 12
    assert timeless(tmp_path / "there") == timeless(tmp_path / "here")


@pytest.mark.skipif(os.name != "posix", reason="no kill -9 here")
def test_a_killed_scheduler_is_said_and_the_same_command_grades_what_is_missing(
    project: Path, tmp_path: Path
) -> None:
    hand_in(tmp_path / "class", TWELVE)
    there = tmp_path / "there"
    with ExitStack() as stack:
        address, scheduler = start_scheduler(stack, tmp_path)
        start_worker(stack, address, tmp_path)
        wait_for_workers(address, 1)
        run = start(project, tmp_path / "class", out=there, scheduler=address, **DASK)
        eventually(lambda: len(list(there.glob("*/results.json"))) > 2)
        scheduler.kill()
        _, errors = run.communicate(timeout=300)
    assert run.returncode == 1
    assert f"The Dask scheduler at {address} is lost." in errors
    assert "the same command goes on from here." in errors
    kept = timeless(there)
    assert 2 < len(kept) < 12
    assert {one["extra_data"]["status"] for one in kept.values()} == {"graded"}
    with dask_cluster(1) as address:
        ran = grade(project, tmp_path / "class", out=there, scheduler=address, **DASK)
    assert ran.exit_code == 0
    assert f"{len(kept)} kept, {12 - len(kept)} graded" in ran.stdout
    assert grade(project, tmp_path / "class", out=tmp_path / "here", **LOCAL).exit_code == 0
    assert timeless(there) == timeless(tmp_path / "here")


def test_a_node_without_the_sandbox_refuses_and_is_named(scheduler: str, tmp_path: Path) -> None:
    write_toy(tmp_path, (CASES, CASES + WITHOUT_SECCOMP))
    hand_in(tmp_path / "class", {"alice/toy.py": RIGHT})
    run = start(tmp_path, tmp_path / "class", scheduler=scheduler, **DASK)
    _, errors = run.communicate(timeout=300)
    assert run.returncode == 2
    assert "The Dask worker tcp://127.0.0.1:" in errors
    assert "seccomp: not here: no such kernel" in errors
    assert "--allow-degraded" in errors
    assert not (tmp_path / "out").exists()


def test_a_node_needs_the_same_version_of_the_assignment(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(project / "solutions", tmp_path / "solutions")
    with (tmp_path / "solutions/toy/test_toy.py").open("a", encoding="utf-8") as file:
        file.write("\n# another version\n")
    monkeypatch.chdir(project)
    with dask_cluster(1, cwd=tmp_path) as address:
        options = {"solutions": "solutions", "out": tmp_path / "out", "scheduler": address, **DASK}
        ran = grade(project, project / "class", **options)
    assert ran.exit_code == 2
    assert "cannot grade: another version of the kit or the assignment." in ran.stderr


def test_a_worker_without_processes_and_a_scheduler_that_is_not_there_are_refused(
    project: Path, tmp_path: Path
) -> None:
    import dask  # noqa: PLC0415 - the extra `cluster`

    options = {"out": tmp_path / "out", **DASK}
    with dask_cluster(1, options=()) as address:
        ran = grade(project, project / "class", scheduler=address, **options)
    assert ran.exit_code == 2
    assert "cannot grade: daemonic processes are not allowed to have children" in ran.stderr
    assert "docs/instructors.md says what it needs." in ran.stderr
    address = "tcp://127.0.0.1:9"
    with dask.config.set({"distributed.comm.timeouts.connect": "0.5s"}):
        ran = grade(project, project / "class", scheduler=address, **options)
    assert ran.exit_code == 2
    assert f"No Dask scheduler answers at {address}" in ran.stderr
    assert not (tmp_path / "out").exists()
