"""Send several calls to a cluster in one task: a task costs its scheduler, its worker and the command milliseconds."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    # A function with its arguments and keywords.
    Work = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
    # Whether it returned, and what it returned or raised.
    Outcome = tuple[bool, Any]
    Send = Callable[[Sequence[Work]], Future[list[Outcome]]]

# The most calls in one task.
MOST = 4


@dataclass(eq=False)
class _Call:
    """A call that waits or was sent; `single` if it must have a task of its own."""

    work: Work
    future: Future[Any] = field(default_factory=Future)
    single: bool = False


class Chunks:
    """Calls in chunks: the more of them wait, the larger the chunks are, up to MOST.

    A chunk whose task fails as a whole, since its node was lost again and again, is sent once more in single calls:
    one of them may have been the cause. A task that is cancelled means that the scheduler is lost: then all that
    waits fails.

    Attributes:
        slots: how many chunks are sent before the first of them is done.
    """

    def __init__(self, send: Send, slots: int) -> None:
        self._send = send
        self.slots = slots
        self._sent = 0
        self._waiting: deque[_Call] = deque()
        self._lock = threading.Lock()

    def submit(self, work: Work) -> Future[Any]:
        """Return the future of a call, which is sent at once or with later ones."""
        call = _Call(work)
        with self._lock:
            self._waiting.append(call)
        self._send_some()
        return call.future

    def cancel(self) -> None:
        """Cancel the calls that were not sent."""
        for call in self._take_waiting():
            call.future.cancel()

    def _send_some(self) -> None:
        while chunk := self._next_chunk():
            self._send([call.work for call in chunk]).add_done_callback(partial(self._done, chunk))

    def _next_chunk(self) -> list[_Call]:
        with self._lock:
            if self._sent >= self.slots or not self._waiting:
                return []
            self._sent += 1
            chunk = [self._waiting.popleft()]
            share = min(MOST, -(-(1 + len(self._waiting)) // self.slots))
            while len(chunk) < share and not (chunk[0].single or self._waiting[0].single):
                chunk.append(self._waiting.popleft())
            return chunk

    def _done(self, chunk: list[_Call], task: Future[list[Outcome]]) -> None:
        with self._lock:
            self._sent -= 1
        if task.cancelled():  # the scheduler is lost
            self._fail([*chunk, *self._take_waiting()], CancelledError())
        elif failure := task.exception():
            self._send_singly(chunk, failure)
        else:
            for call, (returned, value) in zip(chunk, task.result(), strict=True):
                settle = call.future.set_result if returned else call.future.set_exception
                settle(value)
        self._send_some()

    def _send_singly(self, chunk: list[_Call], failure: BaseException) -> None:
        if len(chunk) == 1:
            self._fail(chunk, failure)
            return
        with self._lock:
            for call in reversed(chunk):
                self._waiting.appendleft(_Call(call.work, call.future, single=True))

    def _take_waiting(self) -> deque[_Call]:
        with self._lock:
            waiting, self._waiting = self._waiting, deque()
        return waiting

    @staticmethod
    def _fail(calls: list[_Call], failure: BaseException) -> None:
        for call in calls:
            call.future.set_exception(failure)
