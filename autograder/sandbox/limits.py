"""The limits of a worker, and the ways in which it stops."""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

from autograder.wheel import INSTALL

if TYPE_CHECKING:
    import subprocess

# A step that prints more is stopped: reading its output costs the grader time.
PRINTS_TOO_MUCH = 64 * 1024 * 1024
# The seconds that a worker has to end after it closed its answers.
LAST_SECONDS = 2.0
# Computing time for a worker, or the fork server, to start. `usage.py` has the limits on sleeping and on the clock.
START_LIMIT = 30.0
# Megabytes; an honest submission takes 10.
DEFAULT_MEMORY = 4096
# Computing and sleeping together may take this times the limit of computing.
WALL_FACTOR = 4.0
_SUBMISSION_FACTOR = 6.0
# The clock itself stops what takes this times as long as that: it also counts waiting for a core.
BACKSTOP = 5.0
# On Windows, exit codes from here on mean a crash, as negative ones do elsewhere.
_WINDOWS_CRASH = 0xC0000000


@dataclass(frozen=True)
class Limits:
    """The limits of one check.

    Attributes:
        cpu: CPU seconds; with sleeping it may take four times as many.
        memory: megabytes that the submission may take beyond those of Python and torch; 0 leaves it to the sandbox.
    """

    cpu: float = 10.0
    memory: int = 0

    @property
    def wall(self) -> float:
        """Seconds for one check in which it computes or sleeps."""
        return self.cpu * WALL_FACTOR

    @property
    def submission(self) -> float:
        """Seconds for a submission in which it computes or sleeps."""
        return self.wall * _SUBMISSION_FACTOR


class Stopped(Exception):
    """The worker did not answer: it ended, or was stopped at a limit.

    Attributes:
        limit: the limit at which it was stopped, `cpu`, `awake`, `wall`, `output` or, while it loaded, `sleep`; else
            None.
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


def is_crash(exit_code: int | None) -> bool:
    """Return whether a process did not end by itself; None stands for one that broke the protocol."""
    return exit_code is None or not 0 <= exit_code < _WINDOWS_CRASH


def crash_words(exit_code: int) -> str:
    """Return how a process crashed, such as `SIGSEGV`."""
    if exit_code > 0:
        return f"exit code {exit_code:#x}"
    try:
        return signal.Signals(-exit_code).name
    except ValueError:  # this system has no name for it
        return f"signal {-exit_code}"


def could_not_start(why: str) -> str:
    """Return the message for a worker that did not start, with the next action."""
    return (
        f"The worker could not start: {why}\n"
        "Is the kit installed whole? Install it again, from the folder of the zip file that you were given: "
        f"`{INSTALL}` (not the unrelated package `autograder`)."
    )


def started_too_slowly() -> str:
    """Return the message for a worker that did not start in time, with the next action."""
    return (
        f"The worker did not start within {START_LIMIT:g} seconds of computing time "
        f"({WALL_FACTOR * START_LIMIT:g} seconds with waiting for the disk). "
        "The disk is slow, or the machine is busy: try again, or end other programs first."
    )


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process in seconds; 0 if unknown, as for a process that was reaped."""
    if pid < 1:
        return 0.0
    try:
        process = psutil.Process(pid)
        # On Windows, the interpreter of a virtual environment starts the real one and waits for it.
        children = process.children() if os.name == "nt" else []
        times = [process.cpu_times(), *(child.cpu_times() for child in children)]
    except psutil.Error:  # it has just ended; the wait for its answer says how
        return 0.0
    return float(sum(spent.user + spent.system for spent in times))


def waiting_seconds(pid: int) -> float:
    """Return for how long a process was ready to run but got no core, in seconds; 0 if unknown."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:  # noqa: PTH123 - read often
            _, nanoseconds, _ = file.read().split()
    except OSError:
        return 0.0
    return int(nanoseconds) / 1e9


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all its descendants, and wait for it."""
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
