"""How long a student waits for `check`, and what it costs beside the kernel: measured in a real one."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.student.test_notebook import CHECK, GIVEN, RIGHT, SETUP, Kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

# Seconds of computing time, so that a busy machine decides nothing: a student reads for three seconds first.
READING, FIRST, COMPUTING = 3.0, 0.3, 0.05
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
    return sum(sum(one.cpu_times()[:4]) for one in processes(kernel))


def private(process: psutil.Process) -> float:
    """The megabytes that no file is behind; what processes share is counted once."""
    text = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="ascii")
    return next(int(row.split()[1]) / 1024 for row in text.splitlines() if "Pss_Anon:" in row)


def cost(kernel: Kernel, text: str) -> float:
    """The computing time of a cell in the kernel and in all that it started."""
    before = computing(kernel)
    assert kernel.run(text).error == []
    return computing(kernel) - before


def prepared(kernel: Kernel) -> None:
    """Wait until the sandbox is ready: then it computes nothing."""
    last = -1.0
    while last != (last := computing(kernel)):
        time.sleep(3.0)


def test_nobody_waits_for_the_first_check(kernel: Kernel) -> None:
    before = computing(kernel)
    kernel.run(SETUP)
    prepared(kernel)
    assert computing(kernel) - before <= READING
    assert 0 < sum(map(private, processes(kernel)[1:])) <= MEGABYTES
    kernel.run(GIVEN)
    kernel.run(RIGHT)
    assert cost(kernel, CHECK) <= FIRST
    assert sum(map(private, processes(kernel)[1:])) <= MEGABYTES


def test_a_check_after_an_edit_costs_little(kernel: Kernel) -> None:
    """Also after a hundred other cells, and the check of an unchanged step costs nearly nothing."""
    for text in (SETUP, GIVEN, RIGHT, CHECK, *(f"x{number} = {number}" for number in range(100))):
        kernel.run(text)
    costs = []
    for number in range(9):
        kernel.run(f"{RIGHT}  # {number}")
        costs.append(cost(kernel, CHECK))
    assert sorted(costs)[len(costs) // 2] <= COMPUTING
