"""What the grader's own process spends on a submission: computing time and memory."""

from __future__ import annotations

import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator

# What no submission may cost. An honest one takes 0.05 s and 10 MB; of the attacks that try, the worst takes a second.
MOST_SECONDS = 5.0
MOST_MEGABYTES = 250.0

_CLEAR = Path("/proc/self/clear_refs")
_STATUS = Path("/proc/self/status")
_RESET_PEAK = "5"
_MEGABYTE = 2**20


@dataclass
class Cost:
    """Seconds of computing time in this process, and megabytes above those that it had at first."""

    seconds: float = 0.0
    megabytes: float = 0.0

    @property
    def excess(self) -> str:
        """What is too much, in words; empty if nothing is."""
        if self.seconds <= MOST_SECONDS and self.megabytes <= MOST_MEGABYTES:
            return ""
        return f"{self.seconds:.1f} s and {self.megabytes:.0f} MB of the grader's own"


@contextmanager
def measured() -> Iterator[Cost]:
    """Measure this process during the block."""
    cost = Cost()
    before = _begin_peak()
    started = time.process_time()
    yield cost
    cost.seconds = time.process_time() - started
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
