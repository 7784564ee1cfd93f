"""When a machine is too open for a stranger's code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.sandbox.layers.all import BY_NAME
from autograder.sandbox.layers.base import NOT_NEEDED
from autograder.sandbox.layers.bubblewrap import Bubblewrap
from autograder.sandbox.layers.landlock import FileRules
from autograder.sandbox.layers.paths import exposed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from autograder.sandbox.fresh import Sandbox


def refuse_if_open(sandbox: Sandbox, places: Iterable[Path], *, allowed: bool, switch: str) -> None:
    """Raise UsageError where a stranger's code would find something open that it must not.

    Args:
        places: what it must not read.
        allowed: somebody has decided to go on nevertheless.
        switch: how one decides so, for the message.
    """
    open_ = lacking(sandbox.survey())
    open_ += [f"{place} is where a student's code may read" for place in places if exposed(place)]
    if open_ and not allowed:
        raise UsageError(
            "This machine does not offer all that keeps a stranger's code in:\n  "
            + "\n  ".join(open_)
            + f"\n`autograder doctor` tells how to get it. With {switch} the grading goes on without; "
            "every result says so."
        )


def lacking(survey: Mapping[str, str]) -> list[str]:
    """What is missing for strangers' code: names of layers, each with why it is not worn."""
    open_ = {
        name: survey.get(name, "not here: only on Linux")
        for name in BY_NAME
        if survey.get(name) != ""
    }
    open_ = {name: why for name, why in open_.items() if not why.startswith(NOT_NEEDED)}
    if not {FileRules.name, Bubblewrap.name} <= open_.keys():  # either will do
        open_ = {k: v for k, v in open_.items() if k not in (FileRules.name, Bubblewrap.name)}
    return [f"{name}: {why}" for name, why in open_.items()]
