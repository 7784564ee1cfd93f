"""The cores and the memory that a run may use: of the machine, and of its container, batch system or systemd unit.

Each grading process keeps to one core, with the student's code that it runs. A process judges while the student's code
computes the next answers, so alone it would use more than one. Where all cores grade, that gains nothing: held to a
core each, two processes on two cores grade 6 to 8 % more submissions a second. And `--jobs N` then means N cores,
whatever else the machine has to do.
"""

from __future__ import annotations

import math
import os
import sys
from contextlib import suppress
from pathlib import Path
from random import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# A process grades so many submissions with the computing time that a new process takes to start.
_WORTH_A_PROCESS = 60
# Bytes for a grading process, its fork server and a student's code.
_MEMORY = 2**30
# Seconds for which is watched how busy the cores are.
_LOOK = 0.1
# The limits of this process's cgroups, version 2 or 1.
_MINE = Path("/proc/self/cgroup")
_ALL = Path("/sys/fs/cgroup")


def count_cores() -> int:
    """Return how many cores this process may use: by its affinity, and by its container's limit."""
    return max(1, math.ceil(min(len(_cores()), _core_limit())))


def default_jobs(submissions: int) -> int:
    """Return how many processes grade best: one for each core, fewer for few submissions or little memory."""
    jobs = min(count_cores(), math.ceil(submissions / _WORTH_A_PROCESS))
    if jobs == 1:
        return jobs
    import psutil  # noqa: PLC0415 - takes 20 ms, for large classes only

    memory = min(psutil.virtual_memory().available, _memory_limit())
    return max(1, min(jobs, int(memory // _MEMORY)))


def free_cores(jobs: int) -> tuple[int, ...]:
    """Return the cores to which `jobs` grading processes keep, one each; none where that may harm.

    The idlest first, so that commands that run at once choose others; of equally idle ones, random ones. A container
    with a limit may have fewer cores than it sees.
    """
    cores = _cores()
    if sys.platform != "linux" or jobs > len(cores) or _core_limit() < len(cores):
        return ()
    if jobs == len(cores):
        return cores
    import psutil  # noqa: PLC0415 - takes 20 ms

    busy = dict(enumerate(psutil.cpu_percent(_LOOK, percpu=True)))
    return tuple(sorted(cores, key=lambda core: (round(busy.get(core, 0), -1), random()))[:jobs])


def keep_to(core: int) -> None:
    """Keep this process, and all that it has started, to one core."""
    import psutil  # noqa: PLC0415 - takes 20 ms

    this = psutil.Process()
    for process in (this, *this.children(recursive=True)):
        # It may have ended. Another user's keeps the cores that it had.
        with suppress(psutil.Error, OSError):
            for thread in process.threads():
                os.sched_setaffinity(thread.id, {core})


def _cores() -> tuple[int, ...]:
    if hasattr(os, "sched_getaffinity"):
        return tuple(sorted(os.sched_getaffinity(0)))
    return tuple(range(os.cpu_count() or 1))


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
