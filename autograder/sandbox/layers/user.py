"""The layer that takes the powers of root from a child of root."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.sandbox.layers.base import NOT_NEEDED, Layer, Place, not_stopped
from autograder.sandbox.layers.paths import readable
from autograder.sandbox.layers.prctl import drop_capabilities

NOBODY = 65534


class Unprivileged(Layer):
    """A child of root becomes nobody or, where nobody could not read the interpreter, root without its powers."""

    name = "user"
    stops = "the powers of root, where grading was started as root"
    get = "Grade as an ordinary user."

    def missing(self) -> str | None:
        return None if os.geteuid() == 0 else f"{NOT_NEEDED}: you are not root"

    def prepare(self) -> None:
        self._nobody = all(_open_to_all(path) for path in readable())

    def apply(self, place: Place) -> None:
        if self._nobody:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        else:
            drop_capabilities()

    def gaps(self, place: Place) -> list[str]:
        return not_stopped(
            {
                "chroot": lambda: os.chroot("/"),
                "changing groups": lambda: os.setgroups([0]),
                "becoming another user": lambda: os.setresuid(1, 1, 1),
            }
        )


def _open_to_all(path: str) -> bool:
    """Whether any user may pass through the folders above `path` and read it."""
    place = Path(path).resolve()
    needed = 0o5 if place.is_dir() else 0o4
    if place.stat().st_mode & needed != needed:
        return False
    return all(parent.stat().st_mode & 0o1 for parent in place.parents)
