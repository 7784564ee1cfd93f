"""Measure what a forked worker uses of its limits during one request."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from autograder.sandbox.limits import PRINTS_TOO_MUCH, cpu_seconds

if TYPE_CHECKING:
    from autograder.sandbox.limits import Limits
    from autograder.sandbox.loading import Loading

LOOK = 0.05
# The seconds that a worker has to end after it closed its answers.
LAST_SECONDS = 2.0


class _Measured(Protocol):
    @property
    def pid(self) -> int: ...
    @property
    def printed(self) -> int: ...


class Usage:
    """Compares a worker's use with its limits, every `LOOK` seconds."""

    def __init__(self, limits: Limits, loading: Loading | None = None) -> None:
        self._limits = limits
        self._loading = loading
        self._started = time.monotonic()
        self._next = self._started + LOOK
        self._cpu_before: float | None = None
        self._last = float("inf")

    def age(self) -> float:
        """Seconds since the request was sent."""
        return time.monotonic() - self._started

    def answers_closed(self) -> None:
        """Record that the worker closed its answers: it has LAST_SECONDS to end."""
        self._last = time.monotonic() + LAST_SECONDS

    def exceeded(self, worker: _Measured) -> str | None:
        """Return the reached limit: `cpu`, `wall`, `sleep`, `output`, or `answers` if it closed them and goes on."""
        now = time.monotonic()
        if now < self._next:
            return None
        self._next = now + LOOK
        if worker.printed > PRINTS_TOO_MUCH:
            return "output"
        used = cpu_seconds(worker.pid)
        if self._loading is not None:
            return self._loading.exceeded(used, now) or ("answers" if now > self._last else None)
        self._cpu_before = used if self._cpu_before is None else self._cpu_before
        if used - self._cpu_before > self._limits.cpu:
            return "cpu"
        if now - self._started > self._limits.wall:
            return "wall"
        return "answers" if now > self._last else None
