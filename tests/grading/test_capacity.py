"""How many cores and how much memory a run uses."""

from __future__ import annotations

from types import SimpleNamespace

import psutil
import pytest

from autograder.grading import capacity
from autograder.grading.capacity import default_jobs
from autograder.grading.engines import FEW, GradingProcesses, Here, local_engine


@pytest.fixture
def eight(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with eight cores and much memory."""
    monkeypatch.setattr(capacity, "_cores", lambda: 8)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=64 * 2**30))


@pytest.mark.unit
@pytest.mark.parametrize(
    ("submissions", "jobs"), [(1, 1), (60, 1), (61, 2), (300, 5), (480, 8), (100_000, 8)]
)
@pytest.mark.usefixtures("eight")
def test_by_default_all_cores_grade_a_large_class(submissions: int, jobs: int) -> None:
    assert default_jobs(submissions) == jobs


@pytest.mark.unit
@pytest.mark.usefixtures("eight")
def test_little_memory_makes_fewer_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=3 * 2**30 + 1))
    assert default_jobs(1000) == 3
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=0))
    assert default_jobs(1000) == 1


@pytest.mark.usefixtures("eight")
def test_few_submissions_start_no_process() -> None:
    assert isinstance(local_engine(None, FEW), Here)
    with local_engine(None, 180) as many, local_engine(1, 50) as one:
        assert isinstance(many, GradingProcesses)
        assert many.ahead == 6
        assert isinstance(one, GradingProcesses)
