"""Whether a layer of the sandbox is active, and if not, why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LayerState(StrEnum):
    """The state of a layer on this machine."""

    ACTIVE = "works"
    NOT_HERE = "not here"
    FAILS = "fails"
    NOT_NEEDED = "not needed"


@dataclass(frozen=True)
class LayerStatus:
    """The status of a layer on this machine.

    Attributes:
        reason: why it is not active; for an active layer, the library that applies it, with its version.
    """

    state: LayerState
    reason: str = ""

    def __str__(self) -> str:
        if self.active:
            return f"{self.state.value} ({self.reason})" if self.reason else self.state.value
        return f"{self.state.value}: {self.reason}"

    @property
    def active(self) -> bool:
        """Whether the layer is active in every worker."""
        return self.state is LayerState.ACTIVE

    @property
    def missing(self) -> bool:
        """Whether the layer is needed and not active."""
        return self.state in {LayerState.NOT_HERE, LayerState.FAILS}


ACTIVE = LayerStatus(LayerState.ACTIVE)


def not_here(reason: str) -> LayerStatus:
    """This machine does not offer the layer."""
    return LayerStatus(LayerState.NOT_HERE, reason)


def fails(reason: str) -> LayerStatus:
    """The layer could not be applied, or did not stop all that it should."""
    return LayerStatus(LayerState.FAILS, reason)
