"""Measure the memory of a command and all its child processes.

Measured as PSS: a shared page counts once, not once for each process.
"""

from __future__ import annotations

import contextlib
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from benchmarks.peers.environment import activated

if TYPE_CHECKING:
    from collections.abc import Iterator

_POLL = 0.02


@dataclass(frozen=True)
class Memory:
    """Peak memory, in MB.

    Attributes:
        child: PSS of the process that runs the student's code: the largest at the lowest level of the
            process tree.
        own: memory of that process that no other process shares.
        together: the command with all its descendants.
    """

    child: float
    own: float
    together: float


@dataclass(frozen=True)
class _Seen:
    depth: int
    own: float
    share: float


def memory(command: list[str], folder: Path) -> Memory | None:
    """Return the memory of a command; None if this system does not report it.

    Raises SystemExit if the command fails.
    """
    most = 0.0
    child = _Seen(-1, 0.0, 0.0)
    with subprocess.Popen(
        command,
        cwd=folder,
        env=activated(command),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while process.poll() is None:
            seen = list(_tree(psutil.Process(process.pid), 0))
            most = max(most, sum(one.share for one in seen))
            child = max([child, *seen], key=lambda one: (one.depth, one.own))
            time.sleep(_POLL)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}")
    return Memory(child.share, child.own, most) if child.depth >= 0 else None


def _tree(process: psutil.Process, depth: int) -> Iterator[_Seen]:
    with contextlib.suppress(psutil.Error, OSError):  # the process has ended or may not be read
        yield _look(process.pid, depth)
        for one in process.children():
            yield from _tree(one, depth + 1)


def _look(pid: int, depth: int) -> _Seen:
    text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    kilobytes = {
        name: int(value.split()[0])
        for name, _, value in (line.partition(":") for line in text.splitlines()[1:])
    }
    own = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
    return _Seen(depth, own / 1024, kilobytes["Pss"] / 1024)
