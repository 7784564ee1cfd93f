"""The cores and the memory that a run may use: of the machine, and of its container, batch system or systemd unit."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# A process grades so many submissions with the computing time that a new process takes to start.
_WORTH_A_PROCESS = 60
# Bytes for a grading process, its fork server and a student's code.
_MEMORY = 2**30
# The limits of this process's cgroup, and of each around it (version 2).
_MINE = Path("/proc/self/cgroup")
_ALL = Path("/sys/fs/cgroup")


def count_cores() -> int:
    """Return how many cores this process may use: by its affinity, and by its container's limit."""
    limits = [int(quota) / int(period) for quota, period in _limits("cpu.max")]
    return max(1, math.ceil(min([_cores(), *limits])))


def default_jobs(submissions: int) -> int:
    """Return how many processes grade best: one for each core, fewer for few submissions or little memory."""
    jobs = min(count_cores(), math.ceil(submissions / _WORTH_A_PROCESS))
    if jobs == 1:
        return jobs
    import psutil  # noqa: PLC0415 - takes 20 ms, for large classes only

    limits = [int(limit) for [limit] in _limits("memory.max")]
    memory = min([psutil.virtual_memory().available, *limits])
    return max(1, min(jobs, memory // _MEMORY))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _limits(name: str) -> Iterator[list[str]]:
    """Yield the words of this file of each group that sets a limit. In a container, some groups are not there."""
    text = _MINE.read_text(encoding="utf-8") if _MINE.exists() else ""  # not on Linux
    mine = [line.partition("::/")[2] for line in text.splitlines() if line.startswith("0::/")]
    for group in (_ALL / path for path in mine):
        for place in (group, *group.parents):
            file = place / name
            if file.is_file() and (words := file.read_text(encoding="ascii").split())[0] != "max":
                yield words
