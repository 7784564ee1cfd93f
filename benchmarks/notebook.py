"""How long a student waits for `check` in a notebook, and what it takes beside the kernel: in a real kernel.

python -m benchmarks.notebook
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from pathlib import Path

import psutil

from tests.student.kernel import CHECK, GIVEN, RIGHT, SETUP, Kernel

ROOT = Path(__file__).parents[1]
READING = 3.0  # seconds between the import and the first check
CELLS = 100
EDITS = 9


def processes(kernel: Kernel) -> list[psutil.Process]:
    """Return the kernel, then all that it started."""
    own = psutil.Process(kernel.manager.provisioner.pid)
    return [own, *own.children(recursive=True)]


def computing(kernel: Kernel) -> float:
    """Return the seconds of computing time of the kernel and all that it started."""
    return sum(sum(one.cpu_times()[:2]) for one in processes(kernel))


def private(process: psutil.Process) -> float:
    """Return the megabytes that no file is behind; what processes share is counted once."""
    lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss_Anon:"))


def first_check(folder: Path) -> tuple[float, float]:
    """Return the seconds of the first check, and the megabytes beside the kernel before it."""
    kernel = Kernel(folder)
    try:
        kernel.run(SETUP)
        time.sleep(READING)
        beside = sum(private(one) for one in processes(kernel)[1:])
        kernel.run(GIVEN)
        kernel.run(RIGHT)
        began = time.perf_counter()
        kernel.run(CHECK)
        return time.perf_counter() - began, beside
    finally:
        kernel.close()


def later_checks(folder: Path) -> list[float]:
    """Return the computing seconds of checks after an edit, each in a notebook of many cells."""
    kernel = Kernel(folder)
    try:
        for text in (SETUP, GIVEN, RIGHT, CHECK, *(f"x{n} = {n}" for n in range(CELLS))):
            kernel.run(text)
        costs = []
        for number in range(EDITS):
            kernel.run(f"{RIGHT}  # {number}")
            before = computing(kernel)
            kernel.run(CHECK)
            costs.append(computing(kernel) - before)
        return costs
    finally:
        kernel.close()


def main() -> None:
    """Print the measurements."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "self_attention"
        shutil.copytree(ROOT / "assignments" / "self_attention", folder)
        firsts, memory = zip(*(first_check(folder) for _ in range(3)), strict=True)
        costs = later_checks(folder)
    print(f"the first check, {READING:g} s after the import: {statistics.median(firsts):.2f} s")
    print(f"private memory beside the kernel: {max(memory):.0f} MB")
    print(
        f"a check after an edit, {CELLS} other cells: {statistics.median(costs):.3f} s of computing time"
    )


if __name__ == "__main__":
    main()
