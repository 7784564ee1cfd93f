"""How many processes grade a class best."""

from __future__ import annotations

import math
import os

# A process grades so many submissions with the computing time that a new process takes to start.
_WORTH_A_PROCESS = 60
# Bytes for a grading process, its fork server and a student's code.
_MEMORY = 2**30


def default_jobs(submissions: int) -> int:
    """Return how many processes grade best: one for each core, fewer for few submissions or little memory."""
    jobs = min(_cores(), math.ceil(submissions / _WORTH_A_PROCESS))
    if jobs == 1:
        return jobs
    import psutil  # noqa: PLC0415 - takes 20 ms, for large classes only

    return max(1, min(jobs, psutil.virtual_memory().available // _MEMORY))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
