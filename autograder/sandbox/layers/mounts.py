"""The layer of mounts: all that a worker sees of file systems is read-only, also for the kernel's own notes."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.sandbox.layers.base import TRIAL, Layer, WorkerLimits, succeeds
from autograder.sandbox.layers.prctl import drop_capabilities, own_mounts
from autograder.sandbox.layers.process import start_thread

if TYPE_CHECKING:
    from autograder.sandbox.layers.base import Attempts


class ReadOnlyMounts(Layer):
    """A list of mounts of the worker's own, all read-only and without /proc, in a user namespace of its own.

    Reading a file then leaves no access time that the next submission could see. The kernel counts the threads of each
    user namespace apart.
    """

    name = "mounts"
    stops = "leaving access times for the next submission; counting or taking others' threads"
    get = (
        "Linux 5.14 or newer, and the right to make user namespaces, which some distributions "
        "and most containers withhold."
    )
    after = ("user",)
    optional = True

    def prepare(self, limits: WorkerLimits) -> None:
        os.utime(limits.witness, (0, 0))  # the next reading would move it

    def apply(self, limits: WorkerLimits) -> None:
        own_mounts(limits.folder)
        drop_capabilities()

    def attempts(self, limits: WorkerLimits) -> Attempts:
        witness = Path(limits.witness)
        return {
            "access times": lambda: witness.read_bytes() and witness.stat().st_atime != 0,
            "other processes": lambda: os.stat(f"/proc/{os.getppid()}"),  # noqa: PTH116
            "writing files": witness.with_name(TRIAL).joinpath("noted").touch,
            # At least the fork server and what started it would count as well.
            "taking threads": lambda: not succeeds(partial(start_thread, most=2)),
        }
