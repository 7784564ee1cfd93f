"""The layer that removes root's privileges from a child of root."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.sandbox.layers.base import Layer, WorkerLimits, successful
from autograder.sandbox.layers.paths import readable
from autograder.sandbox.layers.prctl import drop_capabilities
from autograder.sandbox.layers.status import LayerStatus, not_needed

NOBODY = 65534


class Unprivileged(Layer):
    """A child of root becomes `nobody`; where `nobody` cannot read the interpreter, root without capabilities."""

    name = "user"
    stops = "the powers of root, where grading was started as root"
    get = "Grade as an ordinary user."

    def missing(self) -> LayerStatus | None:
        return None if os.geteuid() == 0 else not_needed("you are not root")

    def prepare(self) -> None:
        self._nobody = all(_open_to_all(path) for path in readable())

    def apply(self, limits: WorkerLimits) -> None:
        if self._nobody:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        else:
            drop_capabilities()

    def not_stopped(self, limits: WorkerLimits) -> list[str]:
        return successful(
            {
                "chroot": lambda: os.chroot("/"),
                "changing groups": lambda: os.setgroups([0]),
                "becoming another user": lambda: os.setresuid(1, 1, 1),
            }
        )


def _open_to_all(path: str) -> bool:
    """Return whether every user may read `path` and enter the folders above it."""
    place = Path(path).resolve()
    needed = 0o5 if place.is_dir() else 0o4
    if place.stat().st_mode & needed != needed:
        return False
    return all(parent.stat().st_mode & 0o1 for parent in place.parents)
