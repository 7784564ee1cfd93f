"""Refuse to run other people's code on a machine where sandbox layers are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.sandbox.layers.all import BY_NAME
from autograder.sandbox.layers.bubblewrap import Bubblewrap
from autograder.sandbox.layers.landlock import FileRules
from autograder.sandbox.layers.paths import exposed
from autograder.sandbox.layers.status import not_here

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from autograder.sandbox.layers.status import LayerStatus
    from autograder.sandbox.sandbox import Sandbox

ONLY_ON_LINUX = not_here("only on Linux")


def refuse_if_open(sandbox: Sandbox, places: Iterable[Path], *, allowed: bool, switch: str) -> None:
    """Raise UsageError if a layer is missing or a student's code could read one of `places`.

    Args:
        places: paths that a student's code must not read.
        allowed: the user decided to grade without the layers.
        switch: the option for this decision, for the message.
    """
    open_ = missing_layers(sandbox.status())
    open_ += [f"{place} is where a student's code may read" for place in places if exposed(place)]
    if open_ and not allowed:
        raise UsageError(
            "This machine does not offer all that keeps a stranger's code in:\n  "
            + "\n  ".join(open_)
            + f"\n`autograder doctor` tells how to get it. With {switch} the grading goes on without; "
            "every result says so."
        )


def missing_layers(status: Mapping[str, LayerStatus]) -> list[str]:
    """Return the names of the layers that are needed and not active, each with the reason."""
    needed = [name for name, layer in BY_NAME.items() if not layer.optional]
    states = {name: status.get(name, ONLY_ON_LINUX) for name in needed}
    missing = {name for name, state in states.items() if state.missing}
    one_is_enough = {FileRules.name, Bubblewrap.name}
    if not one_is_enough <= missing:
        missing -= one_is_enough
    return [f"{name}: {state}" for name, state in states.items() if name in missing]
