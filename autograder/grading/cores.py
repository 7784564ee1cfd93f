"""The cores that a run may use. Each grading process keeps to one of them, with the student's code that it runs.

A process judges while the student's code computes the next answers, so alone it would use more than one core. Where
all cores grade, that gains nothing: held to a core each, two processes on two cores grade 6 to 8 % more submissions a
second. And `--jobs N` then means N cores, whatever else the machine has to do.
"""

from __future__ import annotations

import contextlib
import math
import os
import secrets
import socket
import sys
from dataclasses import dataclass

from autograder.grading.container import core_limit

# A socket's name without a file, which ends with its process. No network namespace sees those of another.
_CLAIM = "\0self-attention-kit/core"
_claims: list[socket.socket] = []


@dataclass(frozen=True)
class FreeCores:
    """Cores of which each grading process keeps to one; without any, it may use all.

    Attributes:
        numbers: the cores, in the order to try.
        claim: the name by which processes claim a core, so that no two of them have the same.
    """

    numbers: tuple[int, ...] = ()
    claim: str = _CLAIM

    def keep_to_one(self) -> None:
        """Keep this process, and all that it starts or has started, to the first core that no other has claimed."""
        for core in self.numbers:
            claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                claim.bind(f"{self.claim}/{core}")
                os.sched_setaffinity(0, {core})
                _keep_descendants(core)
            except OSError:  # claimed, or taken from this process meanwhile
                claim.close()
            else:
                _claims.append(claim)
                return


ANY_CORE = FreeCores()


def count_cores() -> int:
    """Return how many cores this process may use: by its affinity, and by its container's limit."""
    return max(1, math.ceil(min(len(_cores()), core_limit())))


def free_cores(jobs: int) -> FreeCores:
    """Return the cores that `jobs` grading processes may keep to; none where that may harm.

    Another container may have claimed the same core without our knowing. So a container with a limit keeps to none,
    and others start with a random one.
    """
    cores = _cores()
    if sys.platform != "linux" or jobs > len(cores) or core_limit() < len(cores):
        return ANY_CORE
    start = secrets.randbelow(len(cores))
    return FreeCores((*cores[start:], *cores[:start]))


def _keep_descendants(core: int) -> None:
    import psutil  # noqa: PLC0415 - takes 20 ms

    this = psutil.Process()
    for process in (this, *this.children(recursive=True)):
        # It may have ended. Another user's keeps the cores that it had.
        with contextlib.suppress(psutil.Error, ProcessLookupError, PermissionError):
            for thread in process.threads():
                os.sched_setaffinity(thread.id, {core})


def _cores() -> tuple[int, ...]:
    if hasattr(os, "sched_getaffinity"):
        return tuple(sorted(os.sched_getaffinity(0)))
    return tuple(range(os.cpu_count() or 1))
