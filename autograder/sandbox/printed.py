"""The output of a worker: split at the marks that end each request's output, and capped."""

from __future__ import annotations

from collections import deque

from autograder.values.wire import MARK_LENGTH

MAX_PRINTED = 64 * 1024


class PrintedOutput:
    """Collects output, in chunks of any size.

    Attributes:
        size: bytes since the last mark.
    """

    def __init__(self) -> None:
        self.size = 0
        self._marks: deque[bytes] = deque()
        self._texts: dict[str, str] = {}
        self._kept = bytearray()
        self._tail = bytearray()  # may be the beginning of a mark

    def expect(self, mark: str) -> None:
        """Receive the mark that will end the output of one more request."""
        self._marks.append(mark.encode())

    def add(self, chunk: bytes) -> None:
        """Add a chunk of output."""
        self.size += len(chunk)
        self._tail += chunk
        while self._marks and (at := self._tail.find(self._marks[0])) >= 0:
            self._keep(at)
            mark = self._marks.popleft()
            del self._tail[: len(mark)]
            self._texts[mark.decode()] = self._cut()
        self._keep(len(self._tail) - MARK_LENGTH)

    def _keep(self, count: int) -> None:
        if count > 0:
            self._kept += self._tail[: min(count, MAX_PRINTED + 1 - len(self._kept))]
            del self._tail[:count]

    def _cut(self) -> str:
        text = self._kept[:MAX_PRINTED].decode("utf-8", "replace")
        text += "..." if len(self._kept) > MAX_PRINTED else ""
        self._kept.clear()
        self.size = 0
        return text

    def has(self, mark: str) -> bool:
        """Return whether the output of the request with this mark is complete."""
        return mark in self._texts

    def end(self, mark: str) -> str:
        """The output of the request with this mark, whose answer has arrived."""
        if mark not in self._texts:  # the step closed the stream
            self._marks.remove(mark.encode())
            self._texts[mark] = self.text()
        return self._texts.pop(mark)

    def text(self) -> str:
        """The output since the last mark."""
        self._keep(len(self._tail))
        return self._cut()
