"""What a worker may use: for one request, and for loading a file, statement by statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from autograder.sandbox.limits import KNOWS_COMPUTING_TIME, WALL_FACTOR
from autograder.values.wire import IMPORTS, MOST_STATEMENTS

if TYPE_CHECKING:
    from autograder.sandbox.limits import Limits

# The part of a check's limit that one statement has; those that import have all of it.
_SHARE = 5
# A statement sleeps if it computes less than this in so many seconds.
SLEEPING_SECONDS = 4.0
# Announcements of all workers together; a file of a thousand statements needs some thousand.
_MOST_ANNOUNCED = 200_000
_COMPUTES = 0.05
# How late a limit is seen, in computing time: five endless statements do not take more than the limit of all.
_LATE = 0.05
# All statements have so much more that five endless ones beside honest ones each reach their own limit.
_SPARE = 1.1


class _Use(NamedTuple):
    """Seconds of computing time and on the clock."""

    cpu: float
    wall: float

    def since(self, before: _Use | None) -> _Use:
        return _Use(self.cpu - before.cpu, self.wall - before.wall) if before else _NOTHING

    def and_also(self, other: _Use) -> _Use:
        return _Use(self.cpu + other.cpu, self.wall + other.wall)

    def above(self, cpu: float, late: float = 0.0) -> str | None:
        """Return which limit is passed: of computing time, seen `late`, or four times that on the clock."""
        return "cpu" if self.cpu > cpu - late else "wall" if self.wall > WALL_FACTOR * cpu else None


_NOTHING = _Use(0.0, 0.0)


class Usage:
    """Compares what one request uses with its limits: seconds of computing time, and on the clock."""

    def __init__(self, cpu: float, wall: float) -> None:
        self._cpu, self._wall = cpu, wall
        self._first: _Use | None = None

    def exceeded(self, cpu: float, wall: float) -> str | None:
        """Return the limit that is reached, `cpu` or `wall`.

        Args:
            cpu: the computing time of the process.
            wall: the time on the clock.
        """
        now = _Use(cpu, wall)
        self._first = self._first or now
        used = now.since(self._first)
        return "cpu" if used.cpu > self._cpu else "wall" if used.wall > self._wall else None


class Loading:
    """Measures the loading of one file, in one worker after the other.

    A statement that ran in an earlier worker does not count again for the limit of all statements.

    Attributes:
        statement: the number of the statement that runs; None before the first and after the last.
        does: what it does: IMPORTS, DEFINES.
        gone: all statements together have reached their limit. Each worker after that has twice the limit.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._furthest = -1
        self._counted = self._now = _NOTHING
        self._new: _Use | None = None
        self._was_gone = False
        self._announced = 0
        self.begin()

    def begin(self) -> None:
        """Begin in a new worker."""
        self._counted = self._counted.and_also(self._now.since(self._new))
        self._new = None
        self._first: _Use | None = None
        self._began: _Use | None = None
        self._awake: _Use | None = None
        self.statement: int | None = None
        self.does = 0
        self.gone = False

    def announced(self, number: int, does: int) -> None:
        """Note the statement that runs now, or that it imports a module: its own time begins again."""
        self.statement = number if number < MOST_STATEMENTS else None
        self.does = does
        self._began = self._awake = None
        self._announced += 1
        self._furthest = max(self._furthest, number)

    @property
    def seconds(self) -> float:
        """The computing time that the statement has, or all of them if that is what it has reached."""
        whole = self.gone or self.does & IMPORTS
        return self._limits.cpu if whole else self._limits.cpu / _SHARE

    def count_no_more(self) -> None:
        """From now on only definitions run, each within its own limit."""
        self._was_gone = True

    def exceeded(self, cpu: float, wall: float, waited: float = 0.0) -> str | None:
        """Return the limit that is reached: `cpu`, `wall`, `sleep`, or `answers` if too much was announced.

        Args:
            cpu, wall: as for `Usage`.
            waited: for how long the process was ready to run and got no core. It does not sleep then.
        """
        now = self._now = _Use(cpu, wall)
        self._first = self._first or now
        if self._announced > _MOST_ANNOUNCED:
            return "answers"
        in_worker = now.since(self._first).above(2 * self._limits.cpu)
        if self.statement is None:
            return in_worker
        self._began = self._began or now
        if self._new is None and self.statement == self._furthest:
            self._new = now
        if self._sleeps(_Use(cpu, wall - waited)):
            return "sleep"
        if reached := now.since(self._began).above(self.seconds, min(_LATE, self.seconds / 2)):
            return reached
        counted = self._counted.and_also(now.since(self._new))
        reached = None if self._was_gone else counted.above(_SPARE * self._limits.cpu)
        reached = reached or in_worker
        self.gone = reached is not None
        self._was_gone |= self.gone
        return reached

    def _sleeps(self, now: _Use) -> bool:
        if self.does & IMPORTS or not KNOWS_COMPUTING_TIME:
            return False
        if self._awake is None or now.cpu - self._awake.cpu >= _COMPUTES:
            self._awake = now
        return now.wall - self._awake.wall >= SLEEPING_SECONDS - 2 * _LATE
