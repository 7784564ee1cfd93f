"""A submission that is hard to judge costs itself only: a soft limit, a hard limit, a new process."""

from __future__ import annotations

import math
import os
from multiprocessing import forkserver
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import psutil
import pytest

from autograder.errors import GraderFault, Rejected, UsageError
from autograder.grading import budget, capacity, engines, judge, task
from autograder.grading.budget import OverBudget
from autograder.grading.capacity import count_cores, default_jobs
from autograder.grading.engines import DEATHS, FEW, GradingProcesses, Here, local_engine
from autograder.submission.hand_in import HandIn
from tests.command_line import invoke
from tests.commands.test_grade import arguments, grade, grades, hand_in, results
from tests.forking.client import CAN_FORK
from tests.grading.calls import fail, refuse
from tests.toy import CASES, RIGHT, SHIFT, write_toy

if TYPE_CHECKING:
    from pathlib import Path


# What an instructor's own file can do, as it runs in the grading processes: a comparison that is slow, large or fatal
# for some answers of `double`, and short limits.
COSTLY = """
import os

import numpy as np

from autograder.grading import budget, judge
from autograder.values.values import Array

budget.SECONDS = 0.5
budget.LEAST_SECONDS = 0.25
whole = judge.closest

def costly(right, seen, slack=1.0):
    match float(seen.data.flat[0]) if isinstance(seen, Array) and seen.data.size else 0.0:
        case 101.0:
            while True:
                pass
        case 102.0:
            np.ones(2**29)
        case 103.0:
            sum(range(10**12))  # one call into C, which no signal ends
        case 104.0:
            os.kill(os.getpid(), 9)
    return whole(right, seen, slack)

judge.closest = costly
"""


def answers(number: float) -> str:
    return f"START = 0.5\n\n\ndef double(x):\n    return x * 0 + {number}\n\n\n{SHIFT}"


CLASS = {
    "alice/toy.py": RIGHT,
    "dies/toy.py": answers(104.0),
    "hangs/toy.py": answers(103.0),
    "large/toy.py": answers(102.0),
    "loops/toy.py": answers(101.0),
    "wrong/toy.py": answers(100.0),
    "zoe/toy.py": RIGHT,
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("costly")
    write_toy(folder, (CASES, CASES + COSTLY))
    hand_in(folder / "class", CLASS)
    return folder


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo afterwards what COSTLY changes in this process, and stop a process soon."""
    monkeypatch.setattr(judge, "closest", vars(judge)["closest"])
    for name in ("SECONDS", "LEAST_SECONDS"):
        monkeypatch.setattr(budget, name, vars(budget)[name])
    monkeypatch.setattr(engines, "HARD_SECONDS", 5.0)


@pytest.mark.usefixtures("short")
def test_a_step_that_takes_too_much_memory_says_so(project: Path, tmp_path: Path) -> None:
    folders = [project / "class" / name for name in ("alice", "large")]
    ran = grade(project, *folders, out=tmp_path / "out", **{"no-pages": True})
    found = results(tmp_path / "out")
    assert ran.exit_code == 0
    assert {student: one["score"] for student, one in found.items()} == {"alice": 3, "large": 2}
    double, shift = found["large"]["tests"]
    assert double["extra_data"]["outcome"] == "too_large"
    assert "Judging your `double` took the grader more memory than" in double["output"]
    assert "Return only what the task asks for." in double["output"]
    assert shift["extra_data"]["outcome"] == "passed"


@pytest.mark.usefixtures("short")
def test_a_step_that_takes_too_much_time_decides_no_points(project: Path, tmp_path: Path) -> None:
    """No clock of the grader's costs a student anything: the submission is ungraded."""
    folders = [project / "class" / name for name in ("loops", "alice")]
    ran = grade(project, *folders, out=tmp_path / "out", **{"no-pages": True})
    assert ran.exit_code == 1
    assert marks(tmp_path / "out") == {"alice": ("3", "graded"), "loops": ("0", "ungraded")}
    why = "Judging your `double` took the grader more computing time than"
    assert f"The grader failed on loops:\n{why}" in ran.stderr
    output = results(tmp_path / "out")["loops"]["output"]
    assert output.startswith("The grader itself failed; this says nothing about your work.")
    assert f"{why} one submission may take (0.5 seconds). No points were decided." in output


@pytest.mark.slow  # one submission computes until it is killed
@pytest.mark.usefixtures("short")
def test_submissions_that_end_processes_cost_themselves_only(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = arguments(project, project / "class", out=out, seed=1, jobs=2, **{"no-pages": True})
    ran = invoke(words)
    nothing = dict.fromkeys(("dies", "hangs", "loops"), ("0", "ungraded"))
    graded = {"alice": "3", "large": "2", "wrong": "2", "zoe": "3"}
    assert marks(out) == nothing | {name: (score, "graded") for name, score in graded.items()}
    assert ran.exit_code == 1
    why = "Reading and judging your submission took more computing time than the grader has for one"
    assert f"The grader failed on hangs:\n{why}" in ran.stderr
    assert why in results(out)["hangs"]["output"]
    assert f"The grader failed on dies:\nThe grading process ended {DEATHS} times" in ran.stderr

    # No process is left. They are forked here, so that they are children of the process from which they are.
    parent = forkserver._forkserver._forkserver_pid if CAN_FORK else None  # type: ignore[attr-defined]
    assert parent is not None or not CAN_FORK
    assert [one.cmdline() for one in psutil.Process(parent).children() if is_grading(one)] == []


def marks(out: Path) -> dict[str, tuple[str, str]]:
    return {student: (row["score"], row["status"]) for student, row in grades(out).items()}


def is_grading(process: psutil.Process) -> bool:
    line = " ".join(process.cmdline())
    return "spawn_main" in line or "forkserver" in line


@pytest.mark.parametrize(("is_time", "raised"), [(True, GraderFault), (False, Rejected)])
def test_a_submission_that_takes_too_much_to_read(
    is_time: bool, raised: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too much memory rejects it; no clock of the grader's does."""

    def parse(*_: Any) -> Any:
        raise OverBudget("more than it may", is_time=is_time)

    monkeypatch.setattr(task, "parse_submission", parse)
    exam, found = cast("Any", SimpleNamespace(assignment=None)), HandIn("alice", tmp_path, ())
    with pytest.raises(raised, match="Reading and judging your submission took more than it may"):
        task.read_within_budget(exam, found)


def test_processes_return_values_and_raise_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "DEATHS", 2)
    with GradingProcesses(1) as executor:
        pid = executor.submit(os.getpid).result()
        assert pid != os.getpid()
        with pytest.raises(UsageError, match="not like this"):
            executor.submit(refuse).result()
        with pytest.raises(GraderFault, match="ZeroDivisionError: by nothing"):
            executor.submit(fail).result()
        assert executor.submit(os.getpid).result() == pid
        with pytest.raises(GraderFault, match="ended 2 times"):
            executor.submit(os._exit, 1).result()
        other = executor.submit(os.getpid).result()
    assert other != pid
    assert not psutil.pid_exists(other)


# How many cores and how much memory a run uses.

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
def test_a_containers_cores_count(eight: Path, files: dict[str, str], quota: float) -> None:
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
def test_a_containers_memory_counts(eight: Path, files: dict[str, str], jobs: int) -> None:
    limit(eight, files)
    assert default_jobs(1000) == jobs


@pytest.mark.unit
@pytest.mark.parametrize(
    ("submissions", "available", "jobs"),
    [
        *((count, 64, jobs) for count, jobs in [(1, 1), (60, 1), (61, 2), (300, 5), (480, 8)]),
        (100_000, 64, 8),
        (1000, 3, 3),
        (1000, 0, 1),
    ],
)
def test_all_cores_and_memory_grade_a_large_class(
    eight: Path, submissions: int, available: int, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = SimpleNamespace(available=available * 2**30)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: memory)
    assert default_jobs(submissions) == jobs


def test_few_submissions_start_no_process(eight: Path) -> None:
    assert isinstance(local_engine(None, FEW), Here)
    with local_engine(None, 180) as many, local_engine(1, 50) as one:
        assert isinstance(many, GradingProcesses)
        assert many.ahead == 6
        assert isinstance(one, GradingProcesses)
