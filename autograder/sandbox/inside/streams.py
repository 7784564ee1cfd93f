"""The streams of the protocol, and the streams that a student prints to."""

from __future__ import annotations

import contextlib
import io
import os
import pdb  # noqa: T100 - to take it away
import sys
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from autograder.values.values import freeze
from autograder.values.wire import announcement, call, encode, frame

if TYPE_CHECKING:
    from collections.abc import Iterator


class Streams:
    """The protocol's streams, moved away from descriptors 0 to 2, and the streams that a student prints to instead.

    Standard input is empty, so a debugger does not stop. Output is not buffered, so it arrives even if the process ends
    next.
    """

    def __init__(self) -> None:
        self.requests: BinaryIO = os.fdopen(os.dup(0), "rb")
        self.answers: BinaryIO = os.fdopen(os.dup(1), "wb")
        self._output = os.dup(2)
        self._printers: list[TextIO] = []  # keep all open: a student may hold the buffer of one
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        debugger: Any = pdb
        sys.breakpointhook = debugger.set_trace = debugger.Pdb.set_trace = _go_on
        self.begin()

    def begin(self) -> None:
        """Make new streams for printing: an earlier step may have closed or replaced them."""
        for descriptor in (1, 2):
            os.dup2(self._output, descriptor)
        sys.stdout, sys.stderr = _printer(1), _printer(2)
        self._printers += [sys.stdout, sys.stderr]

    def announce(self, number: int, does: int) -> None:
        """Say which statement runs next: it may end this process."""
        os.write(self.answers.fileno(), announcement(number, does))

    def ask(
        self, messages: Iterator[tuple[str, dict[str, Any]]], fields: dict[str, object]
    ) -> dict[str, Any]:
        """Ask the grader for the answer of a stand-in, which is the next of the messages."""
        self._write(call(encode(freeze(fields))))
        _, answer = next(messages)
        return answer

    def answer(self, mark: str, body: bytes) -> None:
        """Write the mark that ends this request's output, and then the answer."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):  # the student's own stream may do anything
                stream.flush()
        os.write(self._output, mark.encode())
        self._write(frame(body))

    def _write(self, data: bytes) -> None:
        self.answers.write(data)
        self.answers.flush()


def _go_on(*_arguments: object, **_options: object) -> None:
    """Do nothing in place of a debugger: nobody can answer it here."""


def _printer(descriptor: int) -> io.TextIOWrapper:
    """An unbuffered text stream, as under `python -u`."""
    raw: Any = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(raw, "utf-8", "backslashreplace", newline="\n", write_through=True)
