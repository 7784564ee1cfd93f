"""Let a grading run have more processors than the machine: each of its processes gets half of one, by cgroup's quota.

A judging process and its worker overlap, so two of each can use up to four processors. On two processors, four
halves show what two grading processes win where processors are not short: everything is half as fast, the ratio holds.
Needs root and Linux with cgroup version 1 at CGROUP.
"""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator

CGROUP = Path("/sys/fs/cgroup/cpu")
# Microseconds: half of each period may be used. A short period, so that nobody waits long for an answer.
PERIOD, QUOTA = 4000, 2000


@contextmanager
def half_cores(command: int) -> Iterator[None]:
    """Give each judging process below the command, and all that its worker starts, half a processor each."""
    if not (CGROUP / "cpu.cfs_quota_us").exists() or os.geteuid() != 0:
        raise SystemExit(f"Half processors need root and cgroup version 1 at {CGROUP}.")
    groups: dict[int, Path] = {}
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.05):
            with suppress(psutil.Error):  # a process may have just ended
                for judge in psutil.Process(command).children():
                    for process in (judge, *judge.children()):
                        _hold(process, groups)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
        for group in groups.values():
            group.rmdir()


def _hold(process: psutil.Process, groups: dict[int, Path]) -> None:
    """Put the process, and what it has started, into a group of its own; what it starts later follows by itself."""
    if process.pid in groups:
        return
    group = CGROUP / f"half-{process.pid}"
    group.mkdir()
    groups[process.pid] = group
    (group / "cpu.cfs_period_us").write_text(str(PERIOD), encoding="ascii")
    (group / "cpu.cfs_quota_us").write_text(str(QUOTA), encoding="ascii")
    for one in (process, *process.children(recursive=True)):
        with suppress(psutil.Error, ProcessLookupError):
            (group / "cgroup.procs").write_text(str(one.pid), encoding="ascii")
