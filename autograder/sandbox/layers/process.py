"""The layers of one process that every Linux has: nothing inherited, limits, no privileges."""

from __future__ import annotations

import _thread
import mmap
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.sandbox.layers.base import Layer, WorkerLimits
from autograder.sandbox.layers.paths import readable, worker_environment
from autograder.sandbox.layers.prctl import (
    drop_capabilities,
    end_with_parent,
    gain_no_privileges,
    is_dumpable,
    may_gain_privileges,
    set_undumpable,
)
from autograder.sandbox.layers.status import LayerState, LayerStatus

if TYPE_CHECKING:
    from autograder.sandbox.layers.base import Attempts

# Set by Python, for the locale, and by bubblewrap.
_SET_BY_OTHERS = {"LC_CTYPE", "PWD"}
NOBODY = 65534
MAX_FILES = 64
# Besides those that this user already runs: more than any honest program needs, and soon reached by a fork bomb.
MORE_PROCESSES = 1024
MAX_FILE_SIZE = 16 * 1024 * 1024


class Process(Layer):
    """A new process: its own memory, an environment and file descriptors of its own."""

    name = "process"
    stops = (
        "reading the grader's memory, files and environment; outliving the check; endless output"
    )

    def attempts(self, limits: WorkerLimits) -> Attempts:
        extra = sorted(os.environ.keys() - worker_environment("") - _SET_BY_OTHERS)
        attempts: Attempts = {name: partial(os.environ.__getitem__, name) for name in extra}
        for descriptor in range(3, 256):
            attempts[f"file descriptor {descriptor}"] = partial(os.fstat, descriptor)
        return attempts


class ResourceLimits(Layer):
    """The kernel's limits for each process."""

    name = "limits"
    stops = "taking all memory, computing time, threads, open files or disk space"
    after = ("user",)

    def prepare(self, limits: WorkerLimits) -> None:
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

    def attempts(self, limits: WorkerLimits) -> Attempts:
        def files() -> None:
            opened = []
            try:
                opened += [os.dup(0) for _ in range(MAX_FILES)]
            finally:
                for descriptor in opened:
                    os.close(descriptor)

        return {
            "memory": lambda: mmap.mmap(-1, limits.address_space),
            "open files": files,
            # The kernel does not limit root's.
            "threads": lambda: os.getuid() != 0 and start_thread(most=1),
        }


def start_thread(*, most: int) -> int:
    """Start a thread where this user may have so many, those of other processes included. Raises RuntimeError.

    Returns its number.
    """
    import resource  # noqa: PLC0415 - not on Windows

    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    return _thread.start_new_thread(int, ())


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


class Unprivileged(Layer):
    """A child of root becomes `nobody`; where `nobody` cannot read the interpreter, it may read what root may."""

    name = "user"
    stops = "the powers of root, where grading was started as root"
    get = "Grade as an ordinary user."

    def missing(self) -> LayerStatus | None:
        if os.geteuid() == 0:
            return None
        return LayerStatus(LayerState.NOT_NEEDED, "you are not root")

    def prepare(self, limits: WorkerLimits) -> None:
        self._nobody = all(_open_to_all(path) for path in readable())

    def apply(self, limits: WorkerLimits) -> None:
        if self._nobody:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        else:
            drop_capabilities(NOBODY)

    def attempts(self, limits: WorkerLimits) -> Attempts:
        return {
            "chroot": lambda: os.chroot("/"),
            "changing groups": lambda: os.setgroups([0]),
            "becoming another user": lambda: os.setresuid(1, 1, 1),
        }


def _open_to_all(path: str) -> bool:
    """Return whether every user may read `path` and enter the folders above it."""
    place = Path(path).resolve()
    needed = 0o5 if place.is_dir() else 0o4
    if place.stat().st_mode & needed != needed:
        return False
    return all(parent.stat().st_mode & 0o1 for parent in place.parents)


class NoNewPrivileges(Layer):
    """The child gains no privileges, is closed to other processes of its user, and ends with its parent."""

    name = "no_new_privileges"
    stops = (
        "setuid programs; debugging by other processes of the same user; outliving the warm process"
    )

    def apply(self, limits: WorkerLimits) -> None:
        gain_no_privileges()
        set_undumpable()
        end_with_parent()

    def attempts(self, limits: WorkerLimits) -> Attempts:
        return {"gaining privileges": may_gain_privileges, "being debugged": is_dumpable}
