"""A worker that the warm process forked, seen from the grader.

No threads: whoever asks waits for the answer, the output and the end of the process at once. What will be asked
next can be sent ahead, so that the worker goes on while its last answer is judged.
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
from autograder.sandbox.limits import (
    PRINTS_TOO_MUCH,
    START_LIMIT,
    Limits,
    Stopped,
    could_not_start,
    cpu_seconds,
)
from autograder.sandbox.printed import Output
from autograder.values.values import Mapping, Value
from autograder.values.wire import EXIT_CODE, HEADER_SIZE, STARTED, body_length, decode, frame

if TYPE_CHECKING:
    from collections.abc import Iterable

_CREDENTIALS = struct.Struct("3i")  # process, user, group
_LOOK = 0.05
_PATIENCE = 0.05
_PAUSE = 0.001
_CHUNK = 65536
_CHUNKS = 16
# How long a worker may live on that can no longer answer.
_LAST_SECONDS = 2.0
_KILLED = -9


class Connection(NamedTuple):
    """A worker's leash, which ends it when closed and tells who speaks, and our ends of the pipes to and from it."""

    leash: socket.socket
    requests: int
    answers: int
    output: int


class _Sent(NamedTuple):
    """A request that has been sent, and the mark that goes with its answer."""

    mark: str
    body: bytes


class ForkedWorker:
    """A running worker. The first `ask` waits until it wears its layers."""

    def __init__(self, connection: Connection, limits: Limits) -> None:
        self._connection = connection
        self._limits = limits
        self._output = Output()
        self._unsent = bytearray()
        self._waiting: deque[_Sent] = deque()
        self._early: list[tuple[bytes, tuple[Value, str]]] = []
        self._received = bytearray()
        self._exit_code: int | None = None
        self._lost = self._ready = self._closed = False
        self._process: int | None = None
        self._asking = threading.Lock()
        self._poll = select.poll()
        for descriptor in (connection.requests, connection.output):
            os.set_blocking(descriptor, False)
        for descriptor in (connection.answers, connection.output, connection.leash.fileno()):
            self._poll.register(descriptor, select.POLLIN)

    @property
    def printed(self) -> int:
        """How many bytes it has printed in the request that it is at."""
        return self._output.size

    @property
    def pid(self) -> int:
        """The process's number as this machine's others see it; -1 once it has ended."""
        if self._process is None and self._exit_code is None and not self._lost:
            self._take_news()
        return -1 if self._process is None or self._exit_code is not None else self._process

    def ask(self, body: bytes) -> tuple[Value, str]:
        """Send an encoded request, unless it was sent ahead; return the answer and what was printed meanwhile.

        Raises Stopped if no answer came, GraderFault if the worker never became ready.
        """
        with self._asking:
            try:
                return self._ask(body)
            except (Stopped, GraderFault):
                self._close()
                raise

    def expect(self, bodies: Iterable[bytes]) -> None:
        """Send what will be asked next, in this order, unless something was sent ahead already."""
        with self._asking:
            if not (self._closed or self._waiting or self._early):
                self._waiting.extend(self._send(body) for body in bodies)
                self._write()

    def _ask(self, body: bytes) -> tuple[Value, str]:
        if self._closed:
            raise Stopped("", lost=True)
        if not self._ready:
            self._wait_until_ready()
        for number, (known, answer) in enumerate(self._early):
            if known is body:
                del self._early[number]
                return answer
        if not any(sent.body is body for sent in self._waiting):
            self._waiting.append(self._send(body))
        return self._answers_up_to(body)

    def _answers_up_to(self, body: bytes) -> tuple[Value, str]:
        """Keep the answers to what was sent before. If one of those ends the worker, this one is `lost` with it."""
        while True:
            sent = self._waiting[0]
            try:
                answer = self._answer_to(sent)
            except Stopped as stop:
                if sent.body is body:
                    raise
                raise Stopped(stop.printed, lost=True) from stop
            self._waiting.popleft()
            if sent.body is body:
                return answer
            self._early.append((sent.body, answer))

    def _send(self, body: bytes) -> _Sent:
        mark = secrets.token_hex(16)
        self._output.expect(mark)
        self._unsent += mark.encode() + frame(body)
        return _Sent(mark, body)

    def _answer_to(self, sent: _Sent) -> tuple[Value, str]:
        match self._exchange(self._limits):
            case Mapping(items=(("mark", str(found)), ("answer", content))) if found == sent.mark:
                if not self._output.has(sent.mark):
                    self._take_output()
                return content, self._output.end(sent.mark)
        # Not our worker's words, or those of an earlier request.
        raise Stopped(self._output.text(), exit_code=None)

    def _wait_until_ready(self) -> None:
        """A worker greets when it wears its layers."""
        try:
            self._exchange(Limits(cpu=START_LIMIT))
        except Stopped as stop:
            if stop.lost:
                raise
            raise GraderFault(could_not_start(stop.printed.strip() or str(stop))) from None
        self._ready = True
        # That it runs; perhaps also that what forked it has gone, as it will itself at once.
        for _ in range(2):
            if not self._lost and self._exit_code is None:
                self._take_news()
        if self._lost:
            raise Stopped(self._output.text(), lost=True)

    def _exchange(self, limits: Limits) -> Value:
        """Write what is to be sent, read one frame. Raises Stopped at a limit, or when the worker has ended."""
        watch = _Watch(limits)
        self._write()
        limit: str | None = None
        while (body := self._next_frame()) is None:
            if limit == "answers":
                raise Stopped(self._output.text(), exit_code=_KILLED)
            if limit:
                raise Stopped(self._output.text(), limit=limit)
            ready = self._wait(watch)
            if self._connection.output in ready:
                self._take_output()
            if self._connection.answers in ready:
                self._take_answers(watch)
            elif self._lost or self._exit_code is not None:
                self._take_output()
                raise Stopped(self._output.text(), exit_code=self._exit_code, lost=self._lost)
            elif self._connection.leash.fileno() in ready:
                self._take_news()
            self._write()
            limit = watch.exceeded(self)  # an answer that is whole by now is taken all the same
        return self._decode(body)

    def _wait(self, watch: _Watch) -> list[int]:
        """What can be read. At first this looks again and again: where nobody sleeps, a worker has nobody to wake.

        Waking somebody costs it a quarter of a millisecond on a virtual machine, as much as many a step.
        """
        if watch.age() < _PATIENCE:
            time.sleep(_PAUSE)
            return [descriptor for descriptor, _ in self._poll.poll(0)]
        return [descriptor for descriptor, _ in self._poll.poll(_LOOK * 1000)]

    def _write(self) -> None:
        """Write what the pipe takes; if the worker is gone, the wait says how it ended."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            while self._unsent:
                del self._unsent[: os.write(self._connection.requests, self._unsent)]

    def _take_answers(self, watch: _Watch) -> None:
        chunk = os.read(self._connection.answers, _CHUNK)
        if not chunk:
            self._poll.unregister(self._connection.answers)
            watch.hurry()
        self._received += chunk

    def _next_frame(self) -> bytes | None:
        """The body of the next frame once it is whole. Raises Stopped for what begins no frame."""
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

    def _decode(self, body: bytes) -> Value:
        try:
            return decode(body)
        except ProtocolError as error:
            raise Stopped(self._output.text(), exit_code=None) from error

    def _take_output(self) -> None:
        """What was there a moment ago: whoever prints without end must not keep anybody from looking at the clock."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(_CHUNKS):
                chunk = os.read(self._connection.output, _CHUNK)
                if not chunk:
                    break
                self._output.add(chunk)
            else:
                return
            with contextlib.suppress(KeyError):  # closed, and found so before
                self._poll.unregister(self._connection.output)

    def _take_news(self) -> None:
        """What the warm process says: that the worker runs, how it ended; or nothing more, for it has gone itself."""
        try:
            size, flags = socket.CMSG_SPACE(_CREDENTIALS.size), socket.MSG_DONTWAIT
            news, [(_, _, credentials)], _, _ = self._connection.leash.recvmsg(16, size, flags)
        except BlockingIOError:  # nothing yet
            return
        except (OSError, ValueError):  # let go by another thread; the warm process has gone
            news, credentials = b"", b""
        if news == STARTED:
            self._process = _CREDENTIALS.unpack(credentials)[0]
            return
        self._poll.unregister(self._connection.leash)
        if len(news) == EXIT_CODE.size:
            self._exit_code = EXIT_CODE.unpack(news)[0]
        else:
            self._lost = True

    def close(self) -> None:
        """Let go of the worker: it is ended, with everything that it started. Whoever waits for it is told."""
        with contextlib.suppress(OSError):  # closed already
            self._connection.leash.shutdown(socket.SHUT_RDWR)
        if self._asking.acquire(blocking=False):
            with contextlib.ExitStack() as stack:
                stack.callback(self._asking.release)
                self._close()

    def _close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._connection.leash.close()
        _, *pipes = self._connection
        for descriptor in pipes:
            os.close(descriptor)


class _Watch:
    """Looks now and then whether a worker has used what it may."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._started = time.monotonic()
        self._next = self._started + _LOOK
        self._before: float | None = None
        self._last = float("inf")

    def age(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._started

    def hurry(self) -> None:
        """The worker can no longer answer: it has a moment to end."""
        self._last = time.monotonic() + _LAST_SECONDS

    def exceeded(self, worker: ForkedWorker) -> str | None:
        """The limit that was reached: `cpu`, `wall`, `output`, or `answers` if it closed them and lives on."""
        now = time.monotonic()
        if now < self._next:
            return None
        self._next = now + _LOOK
        if worker.printed > PRINTS_TOO_MUCH:
            return "output"
        used = cpu_seconds(worker.pid)
        self._before = used if self._before is None else self._before
        if used - self._before > self._limits.cpu:
            return "cpu"
        if now - self._started > self._limits.wall:
            return "wall"
        return "answers" if now > self._last else None
