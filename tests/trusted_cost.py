"""What the grader's own process spends on a submission: computing time and memory."""

from __future__ import annotations

import ast
import functools
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator

# What no submission may cost: the computing time in units (see `unit`). An honest one takes 0.3 units; the worst of the
# attacks, with 1,000 calls of stand-ins, takes 47, and took 111 on a busy machine.
MOST_UNITS = 200
MOST_MEGABYTES = 250.0

_CLEAR = Path("/proc/self/clear_refs")
_STATUS = Path("/proc/self/status")
_RESET_PEAK = "5"
_MEGABYTE = 2**20


@dataclass
class Cost:
    """Units of computing time in this process, and megabytes above those that it had at first."""

    units: float = 0.0
    megabytes: float = 0.0

    @property
    def excess(self) -> str:
        """What is too much, in words; empty if nothing is."""
        if self.units <= MOST_UNITS and self.megabytes <= MOST_MEGABYTES:
            return ""
        return f"{self.units:.0f} units of time and {self.megabytes:.0f} MB of the grader's own"


@functools.cache
def unit() -> float:
    """Return the seconds of computing time that a fixed piece of work takes here: to parse 4,000 short lines."""
    text, times = "x = [1, 2, 3]\n" * 4_000, []
    for _ in range(5):
        started = time.process_time()
        ast.parse(text)
        times.append(time.process_time() - started)
    return min(times)


@contextmanager
def measured() -> Iterator[Cost]:
    """Measure this process during the block."""
    cost, one = Cost(), unit()
    before = _begin_peak()
    started = time.process_time()
    yield cost
    cost.units = (time.process_time() - started) / one
    cost.megabytes = max(0.0, _peak() - before)


def _begin_peak() -> float:
    """Return the megabytes in use. Where the system lets us, forget the peak so far; else return the peak."""
    with suppress(OSError):
        _CLEAR.write_text(_RESET_PEAK)
        return float(psutil.Process().memory_info().rss) / _MEGABYTE
    return _peak()


def _peak() -> float:
    with suppress(OSError):
        for line in _STATUS.read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return (
        float(psutil.Process().memory_info().rss) / _MEGABYTE
    )  # of now: this system tells no peak
