"""The process of a worker that the fork server forked: three pipes and a control socket, without threads."""

from __future__ import annotations

import os
import select
import socket
import struct
from contextlib import suppress

from autograder.values.wire import EXIT_CODE, STARTED

_CREDENTIALS = struct.Struct("3i")  # process, user, group
_CHUNK = 65536
# Endless output must not keep the grader from checking the limits.
_CHUNKS = 16


class ForkedProcess:
    """The grader's ends of a worker's pipes and control socket. Closing the control socket ends the worker.

    Attributes:
        exit_code: how it ended; None as long as it runs, or if that is unknown.
        lost: its fork server has ended, and so will the process.
        answers_closed: nothing will come from its answers any more.
        lag: the seconds by which output may arrive later than what was sent after it.
    """

    lag = 0.0

    def __init__(self, control: socket.socket, requests: int, answers: int, output: int) -> None:
        self.exit_code: int | None = None
        self.lost = self.answers_closed = False
        self._control, self._requests = control, requests
        self._answers, self._output = answers, output
        self._process: int | None = None
        self._poll = select.poll()
        for descriptor in (requests, output):
            os.set_blocking(descriptor, False)
        for descriptor in (answers, output, control.fileno()):
            self._poll.register(descriptor, select.POLLIN)

    @property
    def pid(self) -> int:
        """The process id outside the worker's namespace; -1 once the process has ended."""
        if self._process is None and self.exit_code is None and not self.lost:
            self._read_control()
        return -1 if self._process is None or self.exit_code is not None else self._process

    def write(self, data: bytearray) -> None:
        """Write as many bytes as the pipe accepts. If the worker has ended, its control socket says how."""
        with suppress(BlockingIOError, BrokenPipeError):
            while data:
                del data[: os.write(self._requests, data)]

    def read(self, seconds: float) -> tuple[bytes, bytes]:
        """Wait for so long at most; return what has arrived of the answers and of the output."""
        ready = [descriptor for descriptor, _ in self._poll.poll(seconds * 1000)]
        output = self._read_output() if self._output in ready else b""
        answers = b""
        if self._answers in ready:
            answers = os.read(self._answers, _CHUNK)
            if not answers:
                self._poll.unregister(self._answers)
                self.answers_closed = True
        if self._control.fileno() in ready:
            self._read_control()
        return answers, output

    def _read_output(self) -> bytes:
        chunks: list[bytes] = []
        with suppress(BlockingIOError):
            while len(chunks) < _CHUNKS:
                chunks.append(os.read(self._output, _CHUNK))
                if not chunks[-1]:
                    self._poll.unregister(self._output)
                    break
        return b"".join(chunks)

    def _read_control(self) -> None:
        """Read the control socket: STARTED, the worker's exit code, or end of file if the fork server has ended."""
        try:
            size, flags = socket.CMSG_SPACE(_CREDENTIALS.size), socket.MSG_DONTWAIT
            message, [(_, _, credentials)], _, _ = self._control.recvmsg(16, size, flags)
        except BlockingIOError:  # nothing yet
            return
        except (OSError, ValueError):  # closed by another thread, or the fork server has ended
            message, credentials = b"", b""
        if message == STARTED:
            self._process = _CREDENTIALS.unpack(credentials)[0]
            return
        self._poll.unregister(self._control)
        if len(message) == EXIT_CODE.size:
            self.exit_code = EXIT_CODE.unpack(message)[0]
        else:
            self.lost = True

    def end(self) -> None:
        """Let the fork server end the worker and everything that it started."""
        with suppress(OSError):  # closed already
            self._control.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close all of it."""
        self._control.close()
        for descriptor in (self._requests, self._answers, self._output):
            os.close(descriptor)
