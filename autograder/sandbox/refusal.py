"""When a machine is too open for a stranger's code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.sandbox.layers import lacking
from autograder.sandbox.places import exposed

if TYPE_CHECKING:
    from collections.abc import Iterable
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
