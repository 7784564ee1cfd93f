"""What the grader knows of a worker, however that came to be: its limits, how it stopped, what it is asked."""

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
except ImportError:  # without it the wall clock and the process group have to do
    psutil = None  # type: ignore[assignment]

# What prints more than this is stopped: nobody reads it, and reading it costs the grader time.
PRINTS_TOO_MUCH = 64 * 1024 * 1024
START_LIMIT = 120.0
# Megabytes of address space; a worker needs half of it before a student's code does anything.
DEFAULT_MEMORY = 4096
WALL_FACTOR = 4.0
SUBMISSION_FACTOR = 6.0


@dataclass(frozen=True)
class Limits:
    """What one check may use: CPU seconds (four times that by the wall clock) and megabytes of address space."""

    cpu: float = 10.0
    memory: int = 0

    @property
    def wall(self) -> float:
        """Wall-clock seconds for one check."""
        return self.cpu * WALL_FACTOR


class Stopped(Exception):
    """The worker did not answer: it ended, or it was stopped at a limit.

    Attributes:
        limit: `cpu`, `wall` or `output` where it was stopped there, else None.
        exit_code: how it ended by itself; negative for a signal.
        lost: the process that had forked it ended, and nobody knows why.
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
    """A running worker, however it came to be."""

    @property
    def pid(self) -> int:
        """The number of its process."""
        ...

    def ask(self, body: bytes) -> tuple[Value, str]:
        """Send an encoded request; return the answer and what was printed meanwhile.

        Raises Stopped if no answer came, GraderFault if the worker never became ready.
        """
        ...

    def expect(self, bodies: Iterable[bytes]) -> None:
        """Be told what will be asked next, in this order, unless something goes wrong."""
        ...

    def close(self) -> None:
        """Stop the worker and everything that it started."""
        ...


def could_not_start(why: str) -> str:
    """The grader's own failure to start a worker, and what to do about it."""
    return (
        f"The worker could not start: {why}\n"
        "Is the kit installed whole? `python -m pip install self-attention-kit torch` "
        "(not the unrelated package `autograder`)."
    )


def cpu_seconds(pid: int) -> float:
    """The computing time that a process has used; 0 where that cannot be told, as for one that was reaped."""
    if psutil is None or pid < 1:
        return 0.0
    try:
        process = psutil.Process(pid)
        # There, the interpreter of a virtual environment starts the real one and waits for it.
        processes = [process, *(process.children() if os.name == "nt" else ())]
        times = [one.cpu_times() for one in processes]
    except psutil.Error:  # it has just ended: whoever waits for it is told
        return 0.0
    return float(sum(one.user + one.system for one in times))


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that descend from it, and wait for it."""
    if psutil is not None:
        with contextlib.suppress(psutil.Error):  # it may have ended by itself
            for child in psutil.Process(process.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    child.kill()
    if os.name == "posix":
        with contextlib.suppress(
            ProcessLookupError, PermissionError
        ):  # its group may be gone already
            os.killpg(process.pid, 9)
    process.kill()
    process.wait()
