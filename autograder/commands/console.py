"""Print lines that may contain a student's text, until the stream is closed."""

from __future__ import annotations

import errno
import os
import sys
from io import TextIOBase
from typing import TextIO

from rich.console import Console

from autograder.text import without_commands

_WIDTH_OF_A_LOG = 160


def say(text: str, *, error: bool = False) -> None:
    """Print a text at once, without commands for a service that reads the log of a workflow.

    Lines are not wrapped: the rest of a wrapped line could begin with a command. If the stream is
    closed, nothing is printed, and the work goes on.
    """
    out = Output(error=error)
    out.write(f"{without_commands(text)}\n")
    out.flush()


def open_console() -> Console:
    """Return a console on the standard output. It is a terminal only if the output is one."""
    # A bar would spoil a log, even if FORCE_COLOR is set, and a log has room for whole names.
    out = Output()
    more = {} if out.isatty() else {"force_terminal": False, "width": _WIDTH_OF_A_LOG}
    return Console(file=out, **more)  # type: ignore[arg-type]


class Output(TextIOBase):
    """The standard output or the standard error, which may be closed at any time, as by `| head`."""

    def __init__(self, *, error: bool = False) -> None:
        super().__init__()
        self._error = error
        # As it is now: while a bar is shown, `sys.stdout` writes to the console, which writes here.
        self._stream: TextIO | None = sys.stderr if error else sys.stdout

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the stream."""
        return getattr(self._stream, "encoding", None) or "utf-8"

    def isatty(self) -> bool:
        """Return whether the stream is a terminal."""
        return self._stream is not None and self._stream.isatty()

    def fileno(self) -> int:
        """The stream's descriptor."""
        if self._stream is None:
            raise OSError(errno.EBADF, "the stream is closed")
        return self._stream.fileno()

    def writable(self) -> bool:
        """Always true: text for a closed stream is dropped."""
        return True

    def write(self, text: str) -> int:
        """Write a text, or drop it if the stream is closed."""
        if self._stream is not None and not self._stream.closed:
            try:
                self._stream.write(text)
            except OSError as failure:
                self._drop(failure)
        return len(text)

    def flush(self) -> None:
        """Flush the stream, or drop the text if the stream is closed."""
        if self._stream is not None and not self._stream.closed:
            try:
                self._stream.flush()
            except OSError as failure:
                self._drop(failure)

    def _drop(self, failure: OSError) -> None:
        """Redirect the stream to nowhere. Report any other reason than a closed pipe once."""
        stream = self._stream
        assert stream is not None
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        if failure.errno != errno.EPIPE and not self._error:
            say(f"Nothing more can be printed: {failure.strerror}. The work goes on.", error=True)
