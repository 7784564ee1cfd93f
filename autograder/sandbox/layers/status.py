"""Whether a layer of the sandbox is active, and if not, why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class State(StrEnum):
    """The state of a layer on this machine."""

    ACTIVE = "active"
    NOT_HERE = "not here"
    FAILS = "fails"
    NOT_NEEDED = "not needed"


@dataclass(frozen=True)
class LayerStatus:
    """The status of a layer on this machine.

    Attributes:
        reason: why it is not active.
        not_stopped: for a layer that fails its test, what it did not stop.
        by: for an active layer, the library that applies it, with its version.
    """

    state: State
    reason: str = ""
    not_stopped: tuple[str, ...] = ()
    by: str = ""

    def __str__(self) -> str:
        if self.state is State.ACTIVE:
            return f"works ({self.by})" if self.by else "works"
        not_stopped = ", ".join(self.not_stopped)
        reason = f"it does not stop {not_stopped}" if not_stopped else self.reason
        return f"{self.state.value}: {reason}"

    @property
    def active(self) -> bool:
        """Whether the layer is active in every worker."""
        return self.state is State.ACTIVE

    @property
    def missing(self) -> bool:
        """Whether the layer is needed and not active."""
        return self.state in {State.NOT_HERE, State.FAILS}


@dataclass(frozen=True)
class Report:
    """What a fork server sends when it is ready: the version of torch, and the status of each layer by its name."""

    torch: str
    layers: dict[str, LayerStatus]


ACTIVE = LayerStatus(State.ACTIVE)


def active(by: str) -> LayerStatus:
    """The layer is active in every worker, by this library."""
    return LayerStatus(State.ACTIVE, by=by)


def not_here(reason: str) -> LayerStatus:
    """This machine does not offer the layer."""
    return LayerStatus(State.NOT_HERE, reason)


def fails(reason: str) -> LayerStatus:
    """The layer could not be applied."""
    return LayerStatus(State.FAILS, reason)


def leaves_open(not_stopped: Sequence[str]) -> LayerStatus:
    """The layer was applied and did not stop all that it should."""
    return LayerStatus(State.FAILS, not_stopped=tuple(not_stopped))


def not_needed(reason: str) -> LayerStatus:
    """There is nothing here that the layer would stop."""
    return LayerStatus(State.NOT_NEEDED, reason)
