"""How many cores a run uses, and that each grading process keeps to one."""

from __future__ import annotations

import itertools
import math
import os
import sys
from concurrent.futures import wait
from types import SimpleNamespace
from typing import TYPE_CHECKING

import psutil
import pytest

from autograder.errors import GraderFault
from autograder.grading import capacity, engines
from autograder.grading.capacity import count_cores, default_jobs, free_cores
from autograder.grading.engines import FEW, GradingProcesses, Here, local_engine
from autograder.nbgrader.session import jobs_beside_nbgrader
from tests.grading.calls import affinity_after, affinity_of_children, start_child

if TYPE_CHECKING:
    from pathlib import Path

# Both versions at once, as many systems have them.
CGROUPS = "12:memory:/user/job\n4:cpu,cpuacct:/user/job\n0::/user.slice/job.scope\n"

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps processes to cores")


@pytest.fixture
def eight(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with eight cores and much memory; returns the folder of its cgroups."""
    monkeypatch.setattr(capacity, "_cores", lambda: tuple(range(8)))
    monkeypatch.setattr(capacity, "_ALL", tmp_path / "all")
    monkeypatch.setattr(capacity, "_MINE", tmp_path / "mine")
    (tmp_path / "mine").write_text(CGROUPS, encoding="utf-8")
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=64 * 2**30))
    return tmp_path / "all"


@on_linux
def test_grading_processes_keep_to_a_core_each() -> None:
    own = affinity_after(0)
    if len(own) < 2:
        pytest.skip("the tests may use one core only")
    with GradingProcesses(2, tuple(own)[:2]) as two, GradingProcesses(1) as free:
        wait([two.submit(affinity_after, 0.5) for _ in range(2)])
        running = [two.submit(affinity_after, 0.5) for _ in range(2)]
        kept = [future.result() for future in running]
        assert free.submit(affinity_after, 0.0).result() == own
    assert list(map(len, kept)) == [1, 1]
    assert kept[0] != kept[1]


@on_linux
def test_the_first_call_may_use_all_cores_and_what_it_started_keeps_to_one_afterwards() -> None:
    own = affinity_after(0)
    if len(own) < 2:
        pytest.skip("the tests may use one core only")
    with GradingProcesses(1, tuple(own)[:1]) as one:
        assert one.submit(start_child).result() == own
        kept = one.submit(affinity_after, 0.0).result()
        assert len(kept) == 1
        assert one.submit(affinity_of_children).result() == [kept, kept]


@on_linux
def test_a_process_in_the_place_of_a_dead_one_keeps_to_its_core(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engines, "DEATHS", 1)
    [core, *_] = affinity_after(0)
    pids = []
    with GradingProcesses(1, (core,)) as one:
        for _ in range(2):
            pids.append(one.submit(os.getpid).result())
            assert one.submit(affinity_after, 0.0).result() == {core}
            with pytest.raises(GraderFault, match="ended 1 times"):
                one.submit(os._exit, 1).result()
    assert pids[0] != pids[1]


def limit(groups: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (groups / name).parent.mkdir(exist_ok=True, parents=True)
        (groups / name).write_text(text, encoding="ascii")


@pytest.mark.unit
@pytest.mark.parametrize(
    ("files", "quota"),
    [
        ({}, math.inf),
        ({"cpu.max": "max 100000\n"}, math.inf),
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"user.slice/job.scope/cpu.max": "250000 100000\n", "cpu.max": "max 100000\n"}, 2.5),
        ({"user.slice/cpu.max": "400000 100000\n", "cpu.max": "600000 100000\n"}, 4.0),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, math.inf),
        ({"cpu/cpu.cfs_quota_us": "300000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3.0),
        ({"cpu/user/cpu.cfs_quota_us": "50000\n", "cpu/user/cpu.cfs_period_us": "100000\n"}, 0.5),
    ],
)
def test_a_containers_limit_of_cores_counts(
    eight: Path, files: dict[str, str], quota: float
) -> None:
    limit(eight, files)
    assert count_cores() == math.ceil(min(8, quota))
    if sys.platform == "linux":
        assert len({*free_cores(4)}) == (4 if quota == math.inf else 0)


@pytest.mark.unit
@pytest.mark.parametrize(
    ("files", "jobs"),
    [
        ({"memory.max": "max\n"}, 8),
        ({"user.slice/memory.max": f"{3 * 2**30}\n", "memory.max": "max\n"}, 3),
        ({"memory/memory.limit_in_bytes": "9223372036854771712\n"}, 8),
        ({"memory/user/job/memory.limit_in_bytes": f"{2**29}\n"}, 1),
    ],
)
def test_a_containers_limit_of_memory_makes_fewer_processes(
    eight: Path, files: dict[str, str], jobs: int
) -> None:
    limit(eight, files)
    assert default_jobs(1000) == jobs


@pytest.mark.unit
@on_linux
def test_processes_keep_to_the_idlest_cores(eight: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads = [100.0, 3.0, 96.0, 0.0, 97.0, 51.0, 2.0, 99.0]
    monkeypatch.setattr(psutil, "cpu_percent", lambda _, percpu: loads if percpu else 0.0)
    assert {free_cores(3) for _ in range(100)} <= {*itertools.permutations((1, 3, 6))}
    assert {free_cores(4)[3] for _ in range(9)} == {5}


@pytest.mark.unit
def test_more_jobs_than_cores_keep_to_none(eight: Path) -> None:
    assert free_cores(9) == ()


@pytest.mark.unit
@pytest.mark.parametrize(
    ("submissions", "jobs"), [(1, 1), (60, 1), (61, 2), (300, 5), (480, 8), (100_000, 8)]
)
def test_by_default_all_cores_grade_a_large_class(eight: Path, submissions: int, jobs: int) -> None:
    assert default_jobs(submissions) == jobs


@pytest.mark.unit
def test_little_memory_makes_fewer_processes(eight: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=3 * 2**30 + 1))
    assert default_jobs(1000) == 3
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=0))
    assert default_jobs(1000) == 1


def test_few_submissions_start_no_process(eight: Path) -> None:
    assert isinstance(local_engine(None, FEW), Here)
    with local_engine(None, 180) as many, local_engine(1, 50) as one:
        assert isinstance(many, GradingProcesses)
        assert many.ahead == 6
        assert isinstance(one, GradingProcesses)


def test_one_process_keeps_to_a_core_only_if_one_was_asked_for(eight: Path) -> None:
    with local_engine(None, 50) as by_default, local_engine(1, 50) as asked:
        assert isinstance(by_default, GradingProcesses)
        assert isinstance(asked, GradingProcesses)
        assert by_default.cores == ()
        assert len(asked.cores) == (sys.platform == "linux")


@pytest.mark.unit
@pytest.mark.parametrize(("submissions", "jobs"), [(20, 1), (150, 1), (151, 3), (1000, 7)])
def test_nbgrader_keeps_a_core_for_itself(eight: Path, submissions: int, jobs: int) -> None:
    assert jobs_beside_nbgrader(submissions) == jobs


@pytest.mark.unit
@pytest.mark.parametrize("number", [1, 2])
def test_on_one_core_or_two_nbgrader_grades_alone(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(capacity, "_cores", lambda: tuple(range(number)))
    assert jobs_beside_nbgrader(100_000) == 1
