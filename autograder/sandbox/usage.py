"""What a worker may use: for one request, and for loading a file, statement by statement."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from autograder.sandbox.limits import BACKSTOP, WALL_FACTOR, cpu_seconds, waiting_seconds
from autograder.values.wire import IMPORTS, MOST_STATEMENTS

if TYPE_CHECKING:
    from autograder.sandbox.limits import Limits

# The part of a check's limit that one statement has; those that import have all of it.
_SHARE = 5
# A statement sleeps if it computes less than this in so many seconds.
SLEEPING_SECONDS = 4.0
_COMPUTES = 0.05
# Announcements of a worker. A file has at most 10,000 statements, and imports are announced every 0.05 s.
_MOST_ANNOUNCED = 20_000


class Use(NamedTuple):
    """What a process has used, in seconds.

    Attributes:
        cpu: computing time.
        awake: the time on the clock in which it did not wait for a core: it computed or slept.
        wall: the time on the clock.
    """

    cpu: float
    awake: float
    wall: float

    def since(self, before: Use) -> Use:
        """Return what it has used since then."""
        return Use(*(now - then for now, then in zip(self, before, strict=True)))

    def above(self, cpu: float) -> str | None:
        """Return the limit that is passed: `cpu`, `awake` or, far behind it, `wall`."""
        if self.cpu > cpu:
            return "cpu"
        if self.awake > WALL_FACTOR * cpu:
            return "awake"
        return "wall" if self.wall > BACKSTOP * WALL_FACTOR * cpu else None


NOTHING = Use(0.0, 0.0, 0.0)


def use_of(pid: int) -> Use:
    """Return what a process has used since some moment in the past."""
    now = time.monotonic()
    return Use(cpu_seconds(pid), now - waiting_seconds(pid), now)


class Clock:
    """The time of a submission: what its workers compute and sleep."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds

    @property
    def is_over(self) -> bool:
        """Whether the submission has had its time."""
        return self._left < 0

    def add(self, used: Use) -> None:
        """Count what one request used."""
        self._left -= max(used.cpu, used.awake)


class Usage:
    """Compares what one request uses with its limits.

    Attributes:
        used: what it used up to the last look.
    """

    def __init__(self, cpu: float) -> None:
        self._cpu = cpu
        self._first: Use | None = None
        self.used = NOTHING

    def exceeded(self, now: Use) -> str | None:
        """Return the limit that is reached: `cpu`, `awake` or `wall`."""
        self._first = self._first or now
        self.used = now.since(self._first)
        return self.used.above(self._cpu)


class Loading(Usage):
    """Measures the loading of a file in one worker, by three rules.

    A statement has a fifth of a check's limit, one that imports all of it. Other statements may not sleep for
    SLEEPING_SECONDS. All statements together have the limit of a check.

    Args:
        again: statements were left out because all together, or too many of them, were too slow: twice the limit.

    Attributes:
        statement: the number of the statement that runs; None before the first and after the last.
        does: what it does: IMPORTS, DEFINES.
        gone: all statements together have reached their limit.
    """

    def __init__(self, limits: Limits, *, again: bool = False) -> None:
        super().__init__(limits.cpu)
        self._again = again
        self._announced = 0
        self._began: Use | None = None
        self._awake: Use | None = None
        self.statement: int | None = None
        self.does = 0
        self.gone = False

    def announced(self, number: int, does: int) -> None:
        """Note the statement that runs now, or that it imports a module: its own time begins again."""
        self.statement = number if number < MOST_STATEMENTS else None
        self.does = does
        self._began = self._awake = None
        self._announced += 1

    @property
    def seconds(self) -> float:
        """The computing time that the statement has, or all of them if that is what it has reached."""
        return self._cpu if self.gone or self.does & IMPORTS else self._cpu / _SHARE

    def exceeded(self, now: Use) -> str | None:
        """Return the limit that is reached: those of `Usage`, `sleep`, or `answers` if too much was announced."""
        whole = super().exceeded(now)
        if (
            self._again or self.statement is None
        ):  # then the worker itself runs, which has little to do
            whole = self.used.above(2 * self._cpu)
        if self._announced > _MOST_ANNOUNCED:
            return "answers"
        if self.statement is None:
            return whole
        self._began = self._began or now
        if self._sleeps(now):
            return "sleep"
        if reached := now.since(self._began).above(self.seconds):
            return reached
        self.gone = whole is not None
        return whole

    def _sleeps(self, now: Use) -> bool:
        if self.does & IMPORTS:
            return False
        if self._awake is None or now.cpu - self._awake.cpu >= _COMPUTES:
            self._awake = now
        return now.awake - self._awake.awake >= SLEEPING_SECONDS
