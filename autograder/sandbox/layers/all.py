"""All layers between a student's code and this machine, in the order in which a child applies them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.sandbox.layers.bubblewrap import Bubblewrap
from autograder.sandbox.layers.landlock import FileRules
from autograder.sandbox.layers.mounts import ReadOnlyMounts
from autograder.sandbox.layers.process import (
    NoNewPrivileges,
    Process,
    ResourceLimits,
    Unprivileged,
)
from autograder.sandbox.layers.seccomp import SystemCalls

if TYPE_CHECKING:
    from autograder.sandbox.layers.base import Layer

# Order matters: an earlier layer must not remove what a later one needs.
LAYERS: tuple[type[Layer], ...] = (
    Process,
    Bubblewrap,
    Unprivileged,
    ReadOnlyMounts,
    ResourceLimits,
    NoNewPrivileges,
    FileRules,
    SystemCalls,
)
# Either of them keeps files from being read and written.
FILE_LAYERS = (Bubblewrap.name, FileRules.name)
BY_NAME = {layer.name: layer for layer in LAYERS}
