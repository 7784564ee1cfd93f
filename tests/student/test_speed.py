"""How long a student waits for `check`, and what it costs beside the kernel: measured in a real one."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.student.test_notebook import CHECK, GIVEN, RIGHT, SETUP, Kernel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

READING = 3.0
FIRST, COMPUTING = 0.3, 0.05
MEGABYTES = 200


@pytest.fixture
def kernel(root: Path, tmp_path: Path) -> Iterator[Kernel]:
    folder = tmp_path / "self_attention"
    shutil.copytree(root / "assignments" / "self_attention", folder)
    kernel = Kernel(folder)
    yield kernel
    kernel.close()


def processes(kernel: Kernel) -> list[psutil.Process]:
    """The kernel, then all that it started."""
    own = psutil.Process(kernel.manager.provisioner.pid)
    return [own, *own.children(recursive=True)]


def computing(kernel: Kernel) -> float:
    return sum(sum(one.cpu_times()[:2]) for one in processes(kernel))


def private(process: psutil.Process) -> float:
    """The megabytes that no file is behind; what processes share is counted once."""
    rows = (line.split() for line in open(f"/proc/{process.pid}/smaps_rollup", encoding="utf-8"))  # noqa: PTH123, SIM115
    return next(int(row[1]) / 1024 for row in rows if row[0] == "Pss_Anon:")


def seconds(kernel: Kernel, text: str) -> float:
    began = time.perf_counter()
    assert kernel.run(text).error == []
    return time.perf_counter() - began


def test_nobody_waits_for_the_first_check(kernel: Kernel) -> None:
    kernel.run(SETUP)
    time.sleep(READING)
    beside = sum(private(one) for one in processes(kernel)[1:])
    assert 0 < beside <= MEGABYTES
    kernel.run(GIVEN)
    kernel.run(RIGHT)
    first = seconds(kernel, CHECK)
    assert first <= FIRST
    assert sum(private(one) for one in processes(kernel)[1:]) <= MEGABYTES


def test_a_check_after_an_edit_costs_little(kernel: Kernel) -> None:
    """Also after a hundred other cells, and the check of an unchanged step costs nearly nothing."""
    for text in (SETUP, GIVEN, RIGHT, CHECK, *(f"x{number} = {number}" for number in range(100))):
        kernel.run(text)
    costs = []
    for number in range(9):
        kernel.run(f"{RIGHT}  # {number}")
        before = computing(kernel)
        assert kernel.run(CHECK).error == []
        costs.append(computing(kernel) - before)
    assert sorted(costs)[len(costs) // 2] <= COMPUTING
