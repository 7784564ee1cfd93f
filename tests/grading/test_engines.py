"""A submission that is hard to judge costs itself only: a soft limit, a hard limit, a new process."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from multiprocessing import forkserver
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import psutil
import pytest

from autograder.errors import GraderFault, Rejected, UsageError
from autograder.grading import budget, engines, judge, task
from autograder.grading.budget import Budget, OverBudget
from autograder.grading.engines import DEATHS, GradingProcesses
from autograder.submission.hand_in import HandIn
from tests.command_line import invoke
from tests.commands.test_grade import arguments, grade, grades, hand_in, results
from tests.forking.client import CAN_FORK
from tests.grading.calls import fail, refuse
from tests.toy import CASES, RIGHT, SHIFT, write_toy

if TYPE_CHECKING:
    from pathlib import Path

    from tests.command_line import Invoked

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


def undo_what_is_costly(patch: pytest.MonkeyPatch) -> None:
    """Undo afterwards what COSTLY changes in this process."""
    patch.setattr(judge, "closest", vars(judge)["closest"])
    patch.setattr(budget, "SECONDS", budget.SECONDS)
    patch.setattr(budget, "LEAST_SECONDS", budget.LEAST_SECONDS)


@pytest.fixture(scope="module")
def graded(project: Path) -> tuple[Invoked, Path]:
    """The class, graded by two processes."""
    with pytest.MonkeyPatch.context() as patch:
        undo_what_is_costly(patch)
        patch.setattr(engines, "HARD_SECONDS", 5.0)
        words = arguments(project, project / "class", seed=1, jobs=2, **{"no-pages": True})
        ran = invoke(words)
    return ran, project / "out"


def test_a_step_that_takes_too_much_memory_says_so_and_costs_itself_only(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undo_what_is_costly(monkeypatch)
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


def test_a_step_that_takes_the_grader_too_much_time_decides_no_points(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No clock of the grader's costs a student anything: the submission is ungraded."""
    undo_what_is_costly(monkeypatch)
    folders = [project / "class" / name for name in ("loops", "alice")]
    ran = grade(project, *folders, out=tmp_path / "out", **{"no-pages": True})
    assert ran.exit_code == 1
    rows = grades(tmp_path / "out")
    assert {student: (row["score"], row["status"]) for student, row in rows.items()} == {
        "alice": ("3", "graded"),
        "loops": ("0", "ungraded"),
    }
    why = "Judging your `double` took the grader more computing time than"
    assert f"The grader failed on loops:\n{why}" in ran.stderr
    output = results(tmp_path / "out")["loops"]["output"]
    assert output.startswith("The grader itself failed; this says nothing about your work.")
    assert f"{why} one submission may take (0.5 seconds). No points were decided." in output


@pytest.mark.slow  # one submission computes until it is killed
def test_a_submission_that_ends_processes_leaves_the_others_their_marks(
    graded: tuple[Invoked, Path],
) -> None:
    ran, out = graded
    scores = {student: (row["score"], row["status"]) for student, row in grades(out).items()}
    assert scores == {
        "alice": ("3", "graded"),
        "dies": ("0", "ungraded"),
        "hangs": ("0", "ungraded"),
        "large": ("2", "graded"),
        "loops": ("0", "ungraded"),
        "wrong": ("2", "graded"),
        "zoe": ("3", "graded"),
    }
    assert ran.exit_code == 1
    why = "Reading and judging your submission took more computing time than the grader has for one"
    assert f"The grader failed on hangs:\n{why}" in ran.stderr
    output = results(out)["hangs"]["output"]
    assert output.startswith("The grader itself failed; this says nothing about your work.")
    assert why in output
    assert f"The grader failed on dies:\nThe grading process ended {DEATHS} times" in ran.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("graded")
def test_no_process_is_left() -> None:
    """Grading processes are forked here, so that they are children of the process from which they are."""
    parent = forkserver._forkserver._forkserver_pid if CAN_FORK else None  # type: ignore[attr-defined]
    assert parent is not None or not CAN_FORK
    assert [one.cmdline() for one in psutil.Process(parent).children() if is_grading(one)] == []


def is_grading(process: psutil.Process) -> bool:
    line = " ".join(process.cmdline())
    return "spawn_main" in line or "forkserver" in line


def test_a_budget_that_is_spent_leaves_one_second_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autograder.grading.budget.SECONDS", 0.2)
    monkeypatch.setattr("autograder.grading.budget.LEAST_SECONDS", 0.1)
    spent = Budget()

    def loop() -> None:
        while True:
            pass

    for _ in range(2):
        with pytest.raises(OverBudget, match="computing time") as over:
            spent.spend(loop)
        assert over.value.is_time
    assert spent.spend(lambda: 1) == 1


def test_no_handler_of_exceptions_keeps_a_budget_from_ending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("autograder.grading.budget.SECONDS", 0.2)
    monkeypatch.setattr("autograder.grading.budget.LEAST_SECONDS", 0.1)

    def loop() -> None:
        while True:
            with suppress(Exception):  # as a careless step of the grader might
                json.dumps(list(range(1000)))

    with pytest.raises(OverBudget):
        Budget().spend(loop)


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
