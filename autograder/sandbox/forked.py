"""Client of one worker that the fork server forked.

No threads: one `poll` waits for the answer, the output and the end of the process. The next requests can be sent
ahead, so that the worker goes on while the grader judges its last answer.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import socket
import struct
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from autograder.errors import GraderFault, ProtocolError
from autograder.sandbox.limits import START_LIMIT, Limits, Stopped, could_not_start
from autograder.sandbox.loading import NOTHING, Before
from autograder.sandbox.printed import Output
from autograder.sandbox.usage import LOOK, Usage
from autograder.sandbox.worker_answers import is_later, marked
from autograder.values.extent import extent
from autograder.values.wire import (
    EXIT_CODE,
    HEADER_SIZE,
    MARK_LENGTH,
    MAX_FRAME,
    STARTED,
    announced,
    body_length,
    called,
    frame,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.exam.questions import Batch
    from autograder.values.values import Value

_CREDENTIALS = struct.Struct("3i")  # process, user, group
# Poll this long for an answer before sleeping until it arrives, while the worker has further requests: to wake a
# sleeping reader costs it 0.25 ms. For the last one the worker would wait longer than that.
_POLLING = 0.05
_PAUSE = 0.002
_CHUNK = 65536
_CHUNKS = 16
_KILLED = -9
# The most numbers and parts in answers that arrived early. The request of a dropped answer is sent again.
_MOST_EARLY = MAX_FRAME // 8


class Connection(NamedTuple):
    """The grader's ends of a worker's control socket and pipes. Closing the control socket ends the worker."""

    control: socket.socket
    requests: int
    answers: int
    output: int


class _Sent(NamedTuple):
    """A request that was sent, the mark that its answer repeats, and whether it was sent ahead in a batch."""

    mark: str
    body: bytes
    ahead: bool


class ForkedWorker:
    """A running worker. The first `ask` waits until its layers are active."""

    def __init__(self, connection: Connection, limits: Limits) -> None:
        self._connection = connection
        self._limits = limits
        self._output = Output()
        self._unsent = bytearray()
        self._waiting: deque[_Sent] = deque()
        # By request: its answer, and the size of that.
        self._early: dict[bytes, tuple[tuple[Value, str], int]] = {}
        self._received = bytearray()
        self._exit_code: int | None = None
        self._lost = self._ready = self._closed = False
        self._process: int | None = None
        self._asking = threading.Lock()
        self._poll = select.poll()
        for descriptor in (connection.requests, connection.output):
            os.set_blocking(descriptor, False)
        for descriptor in (connection.answers, connection.output, connection.control.fileno()):
            self._poll.register(descriptor, select.POLLIN)

    @property
    def printed(self) -> int:
        """Bytes of output in the current request."""
        return self._output.size

    @property
    def pid(self) -> int:
        """The process id outside the worker's namespace; -1 once the process has ended."""
        if self._process is None and self._exit_code is None and not self._lost:
            self._read_control()
        return -1 if self._process is None or self._exit_code is not None else self._process

    def ask(self, body: bytes, before: Before = NOTHING) -> tuple[Value, str]:
        """Send an encoded request, unless it was sent ahead; return the answer and the output of the request.

        `before` receives what the worker sends before it answers.
        Raises Stopped if no answer came, GraderFault if the worker did not start.
        """
        with self._asking:
            try:
                return self._ask(body, before)
            except (Stopped, GraderFault):
                self._close()
                raise

    def expect(self, batches: Iterable[Batch]) -> None:
        """Send the next requests ahead, in this order, unless some were sent ahead already."""
        with self._asking:
            if not (self._closed or self._waiting or self._early):
                for batch in batches:
                    self._send(batch.requests, batch.encoded, ahead=True)
                self._write()

    def _ask(self, body: bytes, before: Before) -> tuple[Value, str]:
        if self._closed:
            raise Stopped("", lost=True)
        if not self._ready:
            self._wait_until_ready()
        if body in self._early:
            return self._early.pop(body)[0]
        if not any(sent.body == body for sent in self._waiting):
            self._send((body,), body, ahead=False)
        return self._answers_up_to(body, before)

    def _answers_up_to(self, body: bytes, before: Before) -> tuple[Value, str]:
        """Return the answer to this request; keep earlier answers. Raises Stopped, `lost` after an earlier request."""
        while True:
            sent = self._waiting[0]
            try:
                answer = self._answer_to(sent, before if sent.body == body else NOTHING)
            except Stopped as stop:
                if sent.body == body:
                    raise
                raise Stopped(stop.printed, lost=True) from stop
            self._waiting.popleft()
            if not (sent.ahead and is_later(answer[0])):
                if sent.body == body:
                    return answer
                self._keep_early(sent.body, answer)
            elif sent.body == body:
                self._send((body,), body, ahead=False)

    def _keep_early(self, request: bytes, answer: tuple[Value, str]) -> None:
        """Keep an answer that may be needed later; drop the oldest answers if all together are too large."""
        large = extent(answer[0])
        self._early[request] = answer, large.numbers + large.parts
        while sum(size for _, size in self._early.values()) > _MOST_EARLY:
            del self._early[next(iter(self._early))]

    def _send(self, bodies: Iterable[bytes], message: bytes, *, ahead: bool) -> None:
        self._unsent += frame(message)
        for body in bodies:
            mark = secrets.token_hex(MARK_LENGTH // 2)
            self._output.expect(mark)
            self._waiting.append(_Sent(mark, body, ahead))
            self._unsent += mark.encode()

    def _answer_to(self, sent: _Sent, before: Before) -> tuple[Value, str]:
        body = self._exchange(self._limits, before)
        try:
            answer = marked(body, sent.mark)
        except ProtocolError as error:  # forged, or the answer to an earlier request
            raise Stopped(self._output.text(), exit_code=None) from error
        if not self._output.has(sent.mark):
            self._take_output()
        return answer, self._output.end(sent.mark)

    def _wait_until_ready(self) -> None:
        """Wait for the greeting: the worker sends it once its layers are active."""
        try:
            self._exchange(Limits(cpu=START_LIMIT))
        except Stopped as stop:
            if stop.lost:
                raise
            raise GraderFault(could_not_start(stop.printed.strip() or str(stop))) from None
        self._ready = True
        # STARTED comes first. An end of file may follow: the fork server has ended, and so will the worker.
        for _ in range(2):
            if not self._lost and self._exit_code is None:
                self._read_control()
        if self._lost:
            raise Stopped(self._output.text(), lost=True)

    def _exchange(self, limits: Limits, before: Before = NOTHING) -> bytes:
        """Write the unsent bytes; return one frame's body. Raises Stopped at a limit, or if the worker has ended."""
        usage = Usage(limits, before.loading)
        self._write()
        limit: str | None = None
        while (body := self._next_answer(before)) is None:
            if limit == "answers":
                raise Stopped(self._output.text(), exit_code=_KILLED)
            if limit:
                raise Stopped(self._output.text(), limit=limit)
            ready = self._wait(usage)
            if self._connection.output in ready:
                self._take_output()
            if self._connection.answers in ready:
                self._take_answers(usage)
            elif self._lost or self._exit_code is not None:
                self._take_output()
                raise Stopped(self._output.text(), exit_code=self._exit_code, lost=self._lost)
            elif self._connection.control.fileno() in ready:
                self._read_control()
            self._write()
            limit = usage.exceeded(self)  # a complete answer still counts
        return body

    def _wait(self, usage: Usage) -> list[int]:
        """Return the descriptors that can be read."""
        if usage.age() < _POLLING and len(self._waiting) > 1:
            time.sleep(_PAUSE)
            return [descriptor for descriptor, _ in self._poll.poll(0)]
        return [descriptor for descriptor, _ in self._poll.poll(LOOK * 1000)]

    def _write(self) -> None:
        """Write as many bytes as the pipe accepts. If the worker has ended, its control socket says how."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            while self._unsent:
                del self._unsent[: os.write(self._connection.requests, self._unsent)]

    def _take_answers(self, usage: Usage) -> None:
        chunk = os.read(self._connection.answers, _CHUNK)
        if not chunk:
            self._poll.unregister(self._connection.answers)
            usage.answers_closed()
        self._received += chunk

    def _next_answer(self, before: Before) -> bytes | None:
        """Return the body of the next answer once it is complete; pass on what comes before it."""
        while (body := self._next_frame()) is not None:
            statement = announced(body)
            fields = called(body)
            if before.loading is not None and statement is not None:
                before.loading.announced(*statement)
            elif before.reply is not None and fields is not None:
                if self._unsent:  # it has not read the last answer
                    raise Stopped(self._output.text(), exit_code=None)
                self._unsent += before.reply(fields)
                self._write()
            else:
                break
        return body

    def _next_frame(self) -> bytes | None:
        """Return the body of the next frame once it is complete. Raises Stopped if the bytes begin no frame."""
        if len(self._received) < HEADER_SIZE:
            return None
        try:
            end = HEADER_SIZE + body_length(bytes(self._received[:HEADER_SIZE]))
        except ProtocolError as error:
            raise Stopped(self._output.text(), exit_code=None) from error
        if len(self._received) < end:
            return None
        body = bytes(self._received[HEADER_SIZE:end])
        del self._received[:end]
        return body

    def _take_output(self) -> None:
        """Read a limited amount of output: endless output must not keep the grader from checking the limits."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(_CHUNKS):
                chunk = os.read(self._connection.output, _CHUNK)
                if not chunk:
                    break
                self._output.add(chunk)
            else:
                return
            with contextlib.suppress(KeyError):  # unregistered before
                self._poll.unregister(self._connection.output)

    def _read_control(self) -> None:
        """Read the control socket: STARTED, the worker's exit code, or end of file if the fork server has ended."""
        try:
            size, flags = socket.CMSG_SPACE(_CREDENTIALS.size), socket.MSG_DONTWAIT
            message, [(_, _, credentials)], _, _ = self._connection.control.recvmsg(16, size, flags)
        except BlockingIOError:  # nothing yet
            return
        except (OSError, ValueError):  # closed by another thread, or the fork server has ended
            message, credentials = b"", b""
        if message == STARTED:
            self._process = _CREDENTIALS.unpack(credentials)[0]
            return
        self._poll.unregister(self._connection.control)
        if len(message) == EXIT_CODE.size:
            self._exit_code = EXIT_CODE.unpack(message)[0]
        else:
            self._lost = True

    def close(self) -> None:
        """End the worker and everything that it started. A thread that waits for it gets Stopped."""
        with contextlib.suppress(OSError):  # closed already
            self._connection.control.shutdown(socket.SHUT_RDWR)
        if self._asking.acquire(blocking=False):
            with contextlib.ExitStack() as stack:
                stack.callback(self._asking.release)
                self._close()

    def _close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._connection.control.close()
        _, *pipes = self._connection
        for descriptor in pipes:
            os.close(descriptor)
