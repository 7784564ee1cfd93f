"""Client of one worker, however it was started: requests go out in one stream, and answers come back in that order.

Requests can be sent ahead, so that the worker goes on while the grader judges its last answer.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from autograder.errors import GraderFault, ProtocolError
from autograder.sandbox.limits import (
    LAST_SECONDS,
    PRINTS_TOO_MUCH,
    START_LIMIT,
    Limits,
    Stopped,
    could_not_start,
    started_too_slowly,
)
from autograder.sandbox.printed import PrintedOutput
from autograder.sandbox.usage import Clock, Loading, Usage, use_of
from autograder.sandbox.worker_answers import is_put_off, marked
from autograder.values.extent import extent
from autograder.values.wire import (
    HEADER_SIZE,
    MARK_LENGTH,
    MAX_FRAME,
    READY,
    announced,
    body_length,
    call_in,
    frame,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from autograder.exam.questions import Ahead
    from autograder.sandbox.forked import ForkedProcess
    from autograder.sandbox.interpreter import FreshProcess
    from autograder.values.values import Value

# How often a worker's use is compared with its limits.
LOOK = 0.05
# Poll this long for an answer before sleeping until it arrives, while the worker has further requests: to wake a
# sleeping reader costs it 0.25 ms, and each look costs as much. For the last one, and for the answer of a stand-in, the
# worker would wait longer than that.
_POLLING = 0.05
_PAUSE = 0.006
_KILLED = -9
# The most numbers and parts in answers that arrived early. The request of a dropped answer is sent again.
_MOST_EARLY = MAX_FRAME // 8


class _Sent(NamedTuple):
    """A request that was sent: the mark that its answer repeats, and whether the worker may put it off."""

    mark: str
    request: bytes
    optional: bool


_GREETING = _Sent(READY, b"", optional=False)


class Answer(NamedTuple):
    """The answer to a request, and what was printed meanwhile."""

    value: Value
    printed: str


class Worker:
    """A running worker. The first `ask` waits until its layers are active and torch is imported.

    Attributes:
        reply: returns the message that answers a stand-in's question; None if there are no stand-ins.
        clock: counts what the requests use; None if that is not limited.
    """

    def __init__(self, process: ForkedProcess | FreshProcess, limits: Limits) -> None:
        self.reply: Callable[[bytes], bytes] | None = None
        self.clock: Clock | None = None
        self._process = process
        self._limits = limits
        self._output = PrintedOutput()
        self._output.expect(READY)
        self._unsent = bytearray()
        self._received = bytearray()
        self._due = deque([_GREETING])
        # By request: its answer, and the size of that.
        self._early: dict[bytes, tuple[Answer, int]] = {}
        self._closed = False
        # Seconds on the clock in which it waited for the answers of stand-ins.
        self._waited = 0.0
        self._asking = threading.Lock()

    @property
    def pid(self) -> int:
        """The process id; -1 if there is none."""
        return self._process.pid

    @property
    def idle(self) -> bool:
        """Whether no answer is due, and none that arrived early is kept."""
        return not (self._early or any(sent.request for sent in self._due))

    def send(self, requests: Iterable[Ahead]) -> None:
        """Send requests ahead, in this order."""
        with self._asking:
            if not self._closed:
                for ahead in requests:
                    self._send(ahead.request, ahead.message)
                self._process.write(self._unsent)

    def ask(self, request: bytes, loading: Loading | None = None) -> Answer:
        """Send a request, unless it was sent ahead; return the answer and what was printed.

        Args:
            loading: measures a request to load a file, statement by statement.

        Raises Stopped if no answer came, GraderFault if the worker did not start.
        """
        with self._asking:
            try:
                return self._ask(request, loading)
            except (Stopped, GraderFault):
                self._close()
                raise

    def _ask(self, request: bytes, loading: Loading | None) -> Answer:
        if self._closed:
            raise Stopped("", lost=True)
        if self._due and self._due[0] is _GREETING:
            self._wait_until_ready()
        if request in self._early:
            return self._early.pop(request)[0]
        if not any(sent.request == request for sent in self._due):
            self._send(request, request)
        return self._answers_up_to(request, loading)

    def _wait_until_ready(self) -> None:
        try:
            self._answer_to(_GREETING, Usage(START_LIMIT))
        except Stopped as stop:
            if stop.lost:
                raise
            if stop.limit:
                raise GraderFault(started_too_slowly()) from None
            lines = stop.printed.strip().splitlines()
            why = lines[-1] if lines else str(stop.__cause__ or stop)
            raise GraderFault(could_not_start(why)) from None
        self._due.popleft()
        self._take(0)
        if self._process.lost:
            raise Stopped(self._output.text(), lost=True)

    def _answers_up_to(self, request: bytes, loading: Loading | None) -> Answer:
        """Return the answer to this request; keep earlier answers. Raises Stopped, `lost` after an earlier request."""
        while True:
            sent = self._due[0]
            is_asked = sent.request == request
            usage = loading if loading and is_asked else Usage(self._limits.cpu)
            try:
                answer = self._answer_to(sent, usage)
            except Stopped as stop:
                if is_asked:
                    raise
                raise Stopped(stop.printed, lost=True) from stop
            finally:
                if self.clock is not None:
                    self.clock.add(usage.used)
            self._due.popleft()
            if not (sent.optional and is_put_off(answer.value)):
                if is_asked:
                    return answer
                self._keep_early(sent.request, answer)
            elif is_asked:
                self._send(request, request)

    def _keep_early(self, request: bytes, answer: Answer) -> None:
        """Keep an answer that may be needed later; drop the oldest answers if all together are too large."""
        large = extent(answer.value)
        self._early[request] = answer, large.numbers + large.parts
        while sum(size for _, size in self._early.values()) > _MOST_EARLY:
            del self._early[next(iter(self._early))]

    def _send(self, request: bytes, message: bytes) -> None:
        mark = secrets.token_hex(MARK_LENGTH // 2)
        self._output.expect(mark)
        self._due.append(_Sent(mark, request, optional=request != message))
        self._unsent += frame(message) + mark.encode()

    def _answer_to(self, sent: _Sent, usage: Usage) -> Answer:
        body = self._exchange(usage)
        try:
            value = marked(body, sent.mark)
        except ProtocolError as error:  # forged, or the answer to an earlier request
            raise Stopped(self._output.text(), exit_code=None) from error
        self._take_output(lambda: self._output.has(sent.mark))
        return Answer(value, self._output.end(sent.mark))

    def _exchange(self, usage: Usage) -> bytes:
        """Write the unsent bytes; return one frame's body. Raises Stopped at a limit, or if the worker has ended."""
        process = self._process
        process.write(self._unsent)
        began = time.monotonic()
        limit, next_look, last = None, began + LOOK, float("inf")
        while (body := self._next_answer(usage)) is None:
            if limit:
                raise self._stopped(limit)
            arrived = self._wait(time.monotonic() - began)
            if not arrived and (process.lost or process.exit_code is not None):
                self._take_output(lambda: False)
                code, lost = process.exit_code, process.lost
                raise Stopped(self._output.text(), exit_code=code, lost=lost)
            process.write(self._unsent)
            now = time.monotonic()
            if process.answers_closed:
                last = min(last, now + LAST_SECONDS)
            if now >= next_look:  # a complete answer still counts
                next_look = now + LOOK
                limit = self._exceeded(usage) or ("answers" if now > last else None)
        return body

    def _wait(self, age: float) -> bool:
        if age < _POLLING and len(self._due) > 1 and self.reply is None:
            time.sleep(_PAUSE)
            return self._take(0)
        return self._take(LOOK)

    def _take(self, seconds: float) -> bool:
        """Wait for so long at most, and take what arrives; return whether it belongs to an answer."""
        answers, output = self._process.read(seconds)
        self._received += answers
        self._output.add(output)
        return bool(answers)

    def _exceeded(self, usage: Usage) -> str | None:
        if self._output.size > PRINTS_TOO_MUCH:
            return "output"
        now = use_of(self.pid)
        awake, wall = (seconds - self._waited for seconds in (now.awake, now.wall))
        return usage.exceeded(now._replace(awake=awake, wall=wall))

    def _stopped(self, limit: str) -> Stopped:
        if limit == "answers":
            return Stopped(self._output.text(), exit_code=_KILLED)
        return Stopped(self._output.text(), limit=limit)

    def _next_answer(self, usage: Usage) -> bytes | None:
        """Return the body of the next answer once it is complete; pass on what comes before it."""
        while (body := self._next_frame()) is not None:
            statement = announced(body)
            fields = call_in(body)
            if isinstance(usage, Loading) and statement is not None:
                usage.announced(*statement)
            elif self.reply is not None and fields is not None:
                if self._unsent:  # it has not read the last answer
                    raise Stopped(self._output.text(), exit_code=None)
                began = time.monotonic()
                self._unsent += self.reply(fields)
                self._waited += time.monotonic() - began
                self._process.write(self._unsent)
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

    def _take_output(self, complete: Callable[[], bool]) -> None:
        """Read output until it is complete, as long as some may still be on its way."""
        end = time.monotonic() + self._process.lag
        while not complete():
            self._take(min(self._process.lag, LOOK))
            if self._process.lag == 0 or time.monotonic() >= end:
                return

    def close(self) -> None:
        """End the worker and everything that it started. A thread that waits for it gets Stopped."""
        self._process.end()
        if self._asking.acquire(blocking=False):
            try:
                self._close()
            finally:
                self._asking.release()

    def _close(self) -> None:
        if not self._closed:
            self._closed = True
            self._process.end()
            self._process.close()
