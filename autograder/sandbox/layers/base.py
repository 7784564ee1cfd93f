"""What every layer is.

A layer is looked for (`missing`), made ready in the warm process (`prepare`), and put on in each child (`apply`): it
raises if it cannot be put on, and then no student's code runs. `gaps` is its test: run in a child that wears it and no
other, it tries harmlessly what the layer is there to stop, and names what was not stopped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable

NOT_NEEDED = "not needed"


@dataclass(frozen=True)
class Place:
    """What a child is given.

    Attributes:
        folder: its working folder, which is empty.
        memory: megabytes of address space.
        cpu: seconds of computing time for the whole submission.
        witness: a file that its user may read and the layers must not let it read.
    """

    folder: str
    memory: int
    cpu: int
    witness: str


class Layer:
    """One layer. `required` ones are never done without; `get` says how to have it where it is missing."""

    name: ClassVar[str]
    stops: ClassVar[str]
    get: ClassVar[str] = "It is part of Linux."

    def missing(self) -> str | None:
        """Why it cannot be had here, if so."""
        return None

    def prepare(self) -> None:
        """Do once, before any child is forked, what takes time."""

    def apply(self, place: Place) -> None:
        """Put it on, in the child. Raises OSError or RuntimeError if that fails."""

    def gaps(self, place: Place) -> list[str]:
        """What it does not stop although it should."""
        raise NotImplementedError


def not_stopped(attempts: dict[str, Callable[[], object]]) -> list[str]:
    """The names of those attempts that succeed."""
    return [name for name, attempt in attempts.items() if succeeds(attempt)]


def succeeds(attempt: Callable[[], object]) -> bool:
    """Whether nothing stops an attempt."""
    try:
        attempt()
    except (OSError, MemoryError, ValueError):
        return False
    return True
