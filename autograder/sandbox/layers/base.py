"""The interface of every layer.

`missing` says whether this machine offers the layer, `prepare` runs once in the fork server, `apply` in each child: if
it raises, no student's code runs. `attempts` are the test: in a child in which no other layer is active, except those
that it comes `after`, they try harmlessly what the layer should stop.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.sandbox.layers.status import LayerStatus

    Attempts = dict[str, Callable[[], object]]

# A folder beside the witness that anybody may write to while the layers are tested.
TRIAL = "trial"
_OPEN_TO_ALL = ("/", "/tmp", "/var/tmp", "/dev/shm", "/run/lock", tempfile.gettempdir())


@dataclass(frozen=True)
class WorkerLimits:
    """The limits of one worker.

    Attributes:
        folder: its working folder, which is empty.
        address_space: the most bytes of it, with what Python and torch take.
        cpu: seconds of CPU time for the whole submission.
        witness: a file that the worker's user may read and the layers must protect.
    """

    folder: str
    address_space: int
    cpu: int
    witness: str


class Layer:
    """One layer.

    Attributes:
        stops: what the layer stops, for `autograder doctor`.
        get: how to get the layer where it is missing.
        after: the names of layers that its test needs.
        optional: grading begins also without the layer; `autograder doctor` says what is open then.
        by: the library that applies it, with its version; empty for Python itself.
        descriptors: open files that `apply` needs, and closes.
    """

    name: ClassVar[str]
    stops: ClassVar[str]
    get: ClassVar[str] = "It is part of Linux."
    after: ClassVar[tuple[str, ...]] = ()
    optional: ClassVar[bool] = False
    by: str = ""
    descriptors: tuple[int, ...] = ()

    def missing(self) -> LayerStatus | None:
        """Why the layer is not active on this machine: not here, or not needed. None if it can be applied."""
        return None

    def prepare(self, limits: WorkerLimits) -> None:
        """Do the slow part once, before any worker is forked."""

    def apply(self, limits: WorkerLimits) -> None:
        """Make the layer active in this process. Raises OSError or RuntimeError if that fails."""

    def attempts(self, limits: WorkerLimits) -> Attempts:
        """Return what to try where the layer is active. An attempt that raises, or returns False, is stopped."""
        raise NotImplementedError

    def not_stopped(self, limits: WorkerLimits) -> list[str]:
        """Return what the active layer should stop and does not."""
        return [name for name, attempt in self.attempts(limits).items() if succeeds(attempt)]


def find_writable(limits: WorkerLimits) -> list[str]:
    """Return the folders in which a file can be made, among all candidates."""
    own = [folder for folder, _, _ in os.walk(Path(limits.witness).parent)]
    folders = dict.fromkeys([*own, limits.folder, os.environ["MPLCONFIGDIR"], *_OPEN_TO_ALL])
    return [f"writing in {folder}" for folder in folders if succeeds(lambda: _write_in(folder))]  # noqa: B023


def _write_in(folder: str) -> None:
    path = Path(folder, f"written-{os.getpid()}")
    path.touch(exist_ok=False)
    with contextlib.suppress(OSError):  # another layer may forbid that
        path.unlink()


def succeeds(attempt: Callable[[], object]) -> bool:
    """Return whether nothing stops an attempt."""
    try:
        return attempt() is not False
    except (OSError, MemoryError, RuntimeError, ValueError):
        return False
