"""What a container, a batch system or systemd allows this process: the limits of its cgroup, version 2 or 1."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MINE = Path("/proc/self/cgroup")
_ALL = Path("/sys/fs/cgroup")


def core_limit() -> float:
    """Return how many cores' time may be used; infinity without a limit."""
    return min(map(_cores, _groups("cpu")), default=math.inf)


def memory_limit() -> float:
    """Return the bytes of memory that may be used; infinity without a limit."""
    return min(map(_bytes, _groups("memory")), default=math.inf)


def _cores(group: Path) -> float:
    with suppress(OSError, ValueError):  # "max" is no number
        quota, period = (group / "cpu.max").read_text(encoding="ascii").split()
        return int(quota) / int(period)
    with suppress(OSError, ValueError):
        microseconds, each = (
            int((group / f"cpu.cfs_{name}_us").read_text(encoding="ascii"))
            for name in ("quota", "period")
        )
        return microseconds / each if microseconds > 0 else math.inf
    return math.inf


def _bytes(group: Path) -> float:
    for name in ("memory.max", "memory.limit_in_bytes"):
        with suppress(OSError, ValueError):
            return int((group / name).read_text(encoding="ascii"))
    return math.inf


def _groups(controller: str) -> Iterator[Path]:
    """Yield the folder of this process's group, and of each group around it. In a container, some are not there."""
    lines: list[str] = []
    with suppress(OSError):  # not on Linux
        lines = _MINE.read_text(encoding="utf-8").splitlines()
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        top = _ALL / controller if controllers else _ALL
        group = top / path.lstrip("/")
        yield from (place for place in (group, *group.parents) if place.is_relative_to(top))
