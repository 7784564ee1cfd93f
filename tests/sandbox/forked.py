"""Interpreters of sandboxes that are forked from one in which torch is imported: 0.2 seconds each in place of 3.

The grader's side is the product's own, and so is all that runs in the processes. What a new interpreter has (its
environment, its flags, and which modules it knows) is tested where new interpreters start.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from autograder.sandbox import interpreter, warm
from tests.forking.client import CAN_FORK, Forked, address

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A forked process gets three streams only: the socket of the fork server is its input at first.
_ZYGOTE = """
import os, sys
from tests.forking.server import run
control = os.dup(0)
os.dup2(os.open(os.devnull, os.O_RDWR), 0)
run(*{words!r}, str(control))
"""
_FLAGS = ("-s", "-P")


@contextmanager
def forked_interpreters() -> Iterator[None]:
    """Fork the interpreters of sandboxes for a while, where that is possible."""
    with pytest.MonkeyPatch.context() as patch:
        if CAN_FORK:
            address()  # its folder is in the usual place, whatever a test does to that
            patch.setattr(interpreter, "subprocess", _with(partial(Forked, alone=True)))
            patch.setattr(warm, "subprocess", _with(_fork_server))
        yield


def _with(popen: Any) -> SimpleNamespace:
    names = ("PIPE", "DEVNULL", "TimeoutExpired")
    return SimpleNamespace(**{name: getattr(subprocess, name) for name in names}, Popen=popen)


def _fork_server(
    command: Sequence[str], *, stdin: int, pass_fds: tuple[int], **options: Any
) -> subprocess.Popen[Any]:
    """Start a fork server. What starts it inside of bubblewrap is a program of its own."""
    if command[0] != sys.executable:
        return subprocess.Popen(command, stdin=stdin, pass_fds=pass_fds, **options)
    words = [word for word in command[1:-1] if word not in _FLAGS]
    program = [sys.executable, "-c", _ZYGOTE.format(words=words)]
    return Forked(program, stdin=pass_fds[0], alone=True, **options)
