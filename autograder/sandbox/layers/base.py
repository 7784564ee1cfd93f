"""The interface of every layer.

`missing` says whether this machine offers the layer, `prepare` runs once in the fork server, `apply` in each child: if
it raises, no student's code runs. `not_stopped` is the test: in a child in which no other layer is active, it makes
harmless attempts at what the layer should stop, and names those that succeed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.sandbox.layers.status import LayerStatus


@dataclass(frozen=True)
class WorkerLimits:
    """What one worker may use.

    Attributes:
        folder: its working folder, which is empty.
        memory: megabytes of address space.
        cpu: seconds of CPU time for the whole submission.
        witness: a file that the worker's user may read and the layers must protect.
    """

    folder: str
    memory: int
    cpu: int
    witness: str


class Layer:
    """One layer.

    Attributes:
        stops: what the layer stops, for `autograder doctor`.
        get: how to get the layer where it is missing.
    """

    name: ClassVar[str]
    stops: ClassVar[str]
    get: ClassVar[str] = "It is part of Linux."

    def missing(self) -> LayerStatus | None:
        """Why the layer is not active on this machine: not here, or not needed. None if it can be applied."""
        return None

    def prepare(self) -> None:
        """Do the slow part once, before any worker is forked."""

    def apply(self, limits: WorkerLimits) -> None:
        """Make the layer active in this process. Raises OSError or RuntimeError if that fails."""

    def not_stopped(self, limits: WorkerLimits) -> list[str]:
        """What the active layer does not stop although it should."""
        raise NotImplementedError


def successful(attempts: dict[str, Callable[[], object]]) -> list[str]:
    """The names of the attempts that succeed."""
    return [name for name, attempt in attempts.items() if succeeds(attempt)]


def succeeds(attempt: Callable[[], object]) -> bool:
    """Whether nothing stops an attempt."""
    try:
        attempt()
    except (OSError, MemoryError, ValueError):
        return False
    return True
