"""What a worker may use: for one request, and for loading a file, statement by statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from autograder.sandbox.limits import BACKSTOP, KNOWS_COMPUTING_TIME, WALL_FACTOR
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

    def since(self, before: Use | None) -> Use:
        """Return what it has used since then."""
        return (
            Use(*(now - then for now, then in zip(self, before, strict=True)))
            if before
            else NOTHING
        )

    def and_also(self, other: Use) -> Use:
        """Return both together."""
        return Use(*(one + more for one, more in zip(self, other, strict=True)))

    def above(self, cpu: float, late: float = 0.0) -> str | None:
        """Return the limit that is passed: `cpu`, seen `late`, `awake` or, far behind it, `wall`."""
        if self.cpu > cpu - late:
            return "cpu"
        if self.awake > WALL_FACTOR * cpu:
            return "awake"
        return "wall" if self.wall > BACKSTOP * WALL_FACTOR * cpu else None


NOTHING = Use(0.0, 0.0, 0.0)


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
        self._counted = self._now = NOTHING
        self._new: Use | None = None
        self._was_gone = False
        self._announced = 0
        self.begin()

    def begin(self) -> None:
        """Begin in a new worker."""
        self._counted = self._counted.and_also(self._now.since(self._new))
        self._new = None
        self._first: Use | None = None
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
        self._furthest = max(self._furthest, number)

    @property
    def seconds(self) -> float:
        """The computing time that the statement has, or all of them if that is what it has reached."""
        whole = self.gone or self.does & IMPORTS
        return self._limits.cpu if whole else self._limits.cpu / _SHARE

    def count_no_more(self) -> None:
        """From now on only definitions run, each within its own limit."""
        self._was_gone = True

    @property
    def used(self) -> Use:
        """What loading used in this worker up to the last look."""
        return self._now.since(self._first)

    def exceeded(self, now: Use) -> str | None:
        """Return the limit that is reached: those of `Usage`, `sleep`, or `answers` if too much was announced."""
        self._now = now
        self._first = self._first or now
        if self._announced > _MOST_ANNOUNCED:
            return "answers"
        in_worker = now.since(self._first).above(2 * self._limits.cpu)
        if self.statement is None:
            return in_worker
        self._began = self._began or now
        if self._new is None and self.statement == self._furthest:
            self._new = now
        if self._sleeps(now):
            return "sleep"
        if reached := now.since(self._began).above(self.seconds, min(_LATE, self.seconds / 2)):
            return reached
        counted = self._counted.and_also(now.since(self._new))
        reached = None if self._was_gone else counted.above(_SPARE * self._limits.cpu)
        reached = reached or in_worker
        self.gone = reached is not None
        self._was_gone |= self.gone
        return reached

    def _sleeps(self, now: Use) -> bool:
        if self.does & IMPORTS or not KNOWS_COMPUTING_TIME:
            return False
        if self._awake is None or now.cpu - self._awake.cpu >= _COMPUTES:
            self._awake = now
        return now.awake - self._awake.awake >= SLEEPING_SECONDS - 2 * _LATE
