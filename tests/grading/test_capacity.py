"""How many cores and how much memory a run uses."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import TYPE_CHECKING

import psutil
import pytest

from autograder.grading import capacity
from autograder.grading.capacity import count_cores, default_jobs
from autograder.grading.engines import FEW, GradingProcesses, Here, local_engine

if TYPE_CHECKING:
    from pathlib import Path

# Both versions at once, as some systems have them; the second one counts.
CGROUPS = "12:memory:/user/job\n4:cpu,cpuacct:/user/job\n0::/user.slice/job.scope\n"


@pytest.fixture
def eight(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine with eight cores and much memory; returns the folder of its cgroups."""
    monkeypatch.setattr(capacity, "_cores", lambda: 8)
    monkeypatch.setattr(capacity, "_ALL", tmp_path / "all")
    monkeypatch.setattr(capacity, "_MINE", tmp_path / "mine")
    (tmp_path / "mine").write_text(CGROUPS, encoding="utf-8")
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=64 * 2**30))
    return tmp_path / "all"


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
    ],
)
def test_a_containers_limit_of_cores_counts(
    eight: Path, files: dict[str, str], quota: float
) -> None:
    limit(eight, files)
    assert count_cores() == math.ceil(min(8, quota))


@pytest.mark.unit
@pytest.mark.parametrize(
    ("files", "jobs"),
    [
        ({"memory.max": "max\n"}, 8),
        ({"user.slice/memory.max": f"{3 * 2**30}\n", "memory.max": "max\n"}, 3),
    ],
)
def test_a_containers_limit_of_memory_makes_fewer_processes(
    eight: Path, files: dict[str, str], jobs: int
) -> None:
    limit(eight, files)
    assert default_jobs(1000) == jobs


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
