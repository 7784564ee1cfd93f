"""What commands share: they print lines that may contain a student's text, and find a step by its name."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console

from autograder.errors import UsageError
from autograder.text import nearest, without_commands

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")

_WIDTH_OF_A_LOG = 160


def say(text: str, *, error: bool = False) -> None:
    """Print a text at once, without commands for a service that reads the log of a workflow.

    Lines are not wrapped: the rest of a wrapped line could begin with a command.
    """
    print(without_commands(text), file=sys.stderr if error else sys.stdout, flush=True)


def named_step(name: str, steps: Mapping[str, T]) -> T:
    """Return the step with this name. Raises UsageError, with the nearest name, if there is none."""
    if name not in steps:
        raise UsageError(f"There is no step {name!r}. {nearest(name, steps)}")
    return steps[name]


def open_console() -> Console:
    """Return a console on the standard output. It is a terminal only if the output is one."""
    if sys.stdout.isatty():
        return Console()
    # A bar would spoil a log, even if FORCE_COLOR is set, and a log has room for whole names.
    return Console(force_terminal=False, width=_WIDTH_OF_A_LOG)
