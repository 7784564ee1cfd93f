"""The grader's view of a worker of any kind: its interface, its limits, how it stopped."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable

    from autograder.values.values import Value

try:
    import psutil
except ImportError:  # without psutil, only the wall clock and the process group are used
    psutil = None  # type: ignore[assignment]

# A step that prints more is stopped: reading its output costs the grader time.
PRINTS_TOO_MUCH = 64 * 1024 * 1024
START_LIMIT = 120.0
# Megabytes of address space; a worker needs half of it before a student's code does anything.
DEFAULT_MEMORY = 4096
WALL_FACTOR = 4.0
SUBMISSION_FACTOR = 6.0


@dataclass(frozen=True)
class Limits:
    """What one check may use: CPU seconds (and four times that in wall-clock time), megabytes of address space."""

    cpu: float = 10.0
    memory: int = 0

    @property
    def wall(self) -> float:
        """Wall-clock seconds for one check."""
        return self.cpu * WALL_FACTOR


class Stopped(Exception):
    """The worker did not answer: it ended, or was stopped at a limit.

    Attributes:
        limit: the limit at which it was stopped, `cpu`, `wall` or `output`; else None.
        exit_code: the exit code if it ended by itself; negative for a signal, None if unknown.
        lost: its fork server ended, for an unknown reason.
    """

    def __init__(
        self,
        printed: str,
        *,
        limit: str | None = None,
        exit_code: int | None = None,
        lost: bool = False,
    ) -> None:
        super().__init__(limit or f"exit code {exit_code}")
        self.printed = printed
        self.limit = limit
        self.exit_code = exit_code
        self.lost = lost


class Worker(Protocol):
    """A running worker of any kind."""

    @property
    def pid(self) -> int:
        """The process id."""
        ...

    def ask(self, body: bytes) -> tuple[Value, str]:
        """Send an encoded request; return the answer and the output of the request.

        Raises Stopped if no answer came, GraderFault if the worker did not start.
        """
        ...

    def expect(self, bodies: Iterable[bytes]) -> None:
        """Receive the requests that will follow, in this order, unless one of them fails."""
        ...

    def close(self) -> None:
        """Stop the worker and everything that it started."""
        ...


def could_not_start(why: str) -> str:
    """The message for a worker that did not start, with what to do about it."""
    return (
        f"The worker could not start: {why}\n"
        "Is the kit installed whole? `python -m pip install self-attention-kit torch` "
        "(not the unrelated package `autograder`)."
    )


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process has used; 0 if unknown, as for a process that was reaped."""
    if psutil is None or pid < 1:
        return 0.0
    try:
        process = psutil.Process(pid)
        # On Windows, the interpreter of a virtual environment starts the real one and waits for it.
        processes = [process, *(process.children() if os.name == "nt" else ())]
        times = [one.cpu_times() for one in processes]
    except psutil.Error:  # it has just ended; the wait for its answer says how
        return 0.0
    return float(sum(one.user + one.system for one in times))


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all its descendants, and wait for it."""
    if psutil is not None:
        with contextlib.suppress(psutil.Error):  # it may have ended by itself
            for child in psutil.Process(process.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    child.kill()
    if os.name == "posix":
        # The group may have ended already.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, 9)
    process.kill()
    process.wait()
