"""The cores and the memory that a run may use: of the machine, and of its container, batch system or systemd unit."""

from __future__ import annotations

import math
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# A process grades so many submissions with the computing time that a new process takes to start.
_WORTH_A_PROCESS = 60
# Bytes for a grading process, its fork server and a student's code.
_MEMORY = 2**30
# The limits of this process's cgroups, version 2 or 1.
_MINE = Path("/proc/self/cgroup")
_ALL = Path("/sys/fs/cgroup")


def count_cores() -> int:
    """Return how many cores this process may use: by its affinity, and by its container's limit."""
    return max(1, math.ceil(min(_cores(), _core_limit())))


def default_jobs(submissions: int) -> int:
    """Return how many processes grade best: one for each core, fewer for few submissions or little memory."""
    jobs = min(count_cores(), math.ceil(submissions / _WORTH_A_PROCESS))
    if jobs == 1:
        return jobs
    import psutil  # noqa: PLC0415 - takes 20 ms, for large classes only

    memory = min(psutil.virtual_memory().available, _memory_limit())
    return max(1, min(jobs, int(memory // _MEMORY)))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _core_limit() -> float:
    """Return how many cores' time may be used; infinity without a limit."""
    return min(map(_quota, _groups("cpu")), default=math.inf)


def _memory_limit() -> float:
    """Return the bytes of memory that may be used; infinity without a limit."""
    return min(map(_bytes, _groups("memory")), default=math.inf)


def _quota(group: Path) -> float:
    with suppress(OSError, ValueError):  # "max" is no number
        quota, period = (group / "cpu.max").read_text(encoding="ascii").split()
        return int(quota) / int(period)
    with suppress(OSError, ValueError):
        microseconds, each = (
            int((group / f"cpu.cfs_{name}_us").read_text(encoding="ascii"))
            for name in ("quota", "period")
        )
        return microseconds / each if microseconds > 0 else math.inf
    return math.inf


def _bytes(group: Path) -> float:
    for name in ("memory.max", "memory.limit_in_bytes"):
        with suppress(OSError, ValueError):
            return int((group / name).read_text(encoding="ascii"))
    return math.inf


def _groups(controller: str) -> Iterator[Path]:
    """Yield the folder of this process's group, and of each group around it. In a container, some are not there."""
    lines: list[str] = []
    with suppress(OSError):  # not on Linux
        lines = _MINE.read_text(encoding="utf-8").splitlines()
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        top = _ALL / controller if controllers else _ALL
        group = top / path.lstrip("/")
        yield from (place for place in (group, *group.parents) if place.is_relative_to(top))
