"""The layer of resource limits: memory, computing time, files and processes, counted by the kernel."""

from __future__ import annotations

import mmap
import os
from pathlib import Path

from autograder.sandbox.layers.base import Layer, Place, not_stopped

MAX_FILES = 64
# Above what this user already runs: a number that no honest program comes near, and a fork bomb soon reaches.
MORE_PROCESSES = 1024
MAX_FILE_SIZE = 16 * 1024 * 1024


class ResourceLimits(Layer):
    """What the kernel counts for each process."""

    name = "limits"
    stops = "taking all memory, computing time, open files or disk space"

    def prepare(self) -> None:
        self._processes = _processes_of(os.getuid()) + MORE_PROCESSES

    def apply(self, place: Place) -> None:
        import resource  # noqa: PLC0415 - not on Windows

        limits = {
            resource.RLIMIT_AS: place.memory * 1024 * 1024,
            resource.RLIMIT_CPU: place.cpu,
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: MAX_FILE_SIZE,
            resource.RLIMIT_NOFILE: MAX_FILES,
            resource.RLIMIT_NPROC: self._processes,
        }
        for kind, limit in limits.items():
            _, hard = resource.getrlimit(kind)
            size = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(kind, (size, size))

    def gaps(self, place: Place) -> list[str]:
        def files() -> None:
            opened = []
            try:
                opened += [os.dup(0) for _ in range(MAX_FILES)]
            finally:
                for one in opened:
                    os.close(one)

        return not_stopped(
            {
                "memory": lambda: mmap.mmap(-1, (place.memory + 1) * 1024 * 1024),
                "open files": files,
            }
        )


def _processes_of(user: int) -> int:
    """How many threads run under this user, about: the limit counts those of all its programs."""
    count = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == user:
                    count += sum(1 for _ in (entry / "task").iterdir())
            except OSError:  # it has just ended, or is not to be looked at
                continue
    return count
