"""The layer of resource limits: the kernel counts memory, CPU time, files and processes."""

from __future__ import annotations

import mmap
import os
from pathlib import Path

from autograder.sandbox.layers.base import Layer, WorkerLimits, successful

MAX_FILES = 64
# Besides those that this user already runs: more than any honest program needs, and soon reached by a fork bomb.
MORE_PROCESSES = 1024
MAX_FILE_SIZE = 16 * 1024 * 1024


class ResourceLimits(Layer):
    """The kernel's limits for each process."""

    name = "limits"
    stops = "taking all memory, computing time, open files or disk space"

    def prepare(self) -> None:
        self._processes = _processes_of(os.getuid()) + MORE_PROCESSES

    def apply(self, limits: WorkerLimits) -> None:
        import resource  # noqa: PLC0415 - not on Windows

        sizes = {
            resource.RLIMIT_AS: limits.address_space,
            resource.RLIMIT_CPU: limits.cpu,
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: MAX_FILE_SIZE,
            resource.RLIMIT_NOFILE: MAX_FILES,
            resource.RLIMIT_NPROC: self._processes,
        }
        for kind, wanted in sizes.items():
            _, hard = resource.getrlimit(kind)
            size = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(kind, (size, size))

    def not_stopped(self, limits: WorkerLimits) -> list[str]:
        def files() -> None:
            opened = []
            try:
                opened += [os.dup(0) for _ in range(MAX_FILES)]
            finally:
                for descriptor in opened:
                    os.close(descriptor)

        return successful(
            {
                "memory": lambda: mmap.mmap(-1, limits.address_space),
                "open files": files,
            }
        )


def _processes_of(user: int) -> int:
    """About how many threads this user runs: the limit counts those of all programs."""
    count = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == user:
                    count += sum(1 for _ in (entry / "task").iterdir())
            except OSError:  # it has just ended, or may not be read
                continue
    return count
