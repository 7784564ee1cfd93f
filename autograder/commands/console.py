"""Print lines that may contain a student's text."""

from __future__ import annotations

import sys

from rich.console import Console

from autograder.text import without_commands

_WIDTH_OF_A_LOG = 160


def say(text: str, *, error: bool = False) -> None:
    """Print a text at once, without commands for a service that reads the log of a workflow.

    Lines are not wrapped: the rest of a wrapped line could begin with a command.
    """
    print(without_commands(text), file=sys.stderr if error else sys.stdout, flush=True)


def open_console() -> Console:
    """Return a console on the standard output. It is a terminal only if the output is one."""
    if sys.stdout.isatty():
        return Console()
    # A bar would spoil a log, even if FORCE_COLOR is set, and a log has room for whole names.
    return Console(force_terminal=False, width=_WIDTH_OF_A_LOG)
