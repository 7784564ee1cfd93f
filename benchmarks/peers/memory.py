"""How much memory a command takes, with all that it starts: each shared page counts once (PSS), not once a process."""

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
    """Megabytes at their highest.

    Attributes:
        child: the share of the process that runs the student's code: the largest of those furthest down.
        own: what it shares with nobody.
        together: the command with all that descends from it.
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
    """The memory of a command; None where this system does not say. Raises SystemExit if it fails."""
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
    with contextlib.suppress(psutil.Error, OSError):  # it has just ended, or is not ours to look at
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
