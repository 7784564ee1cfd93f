"""The process of a worker in a new interpreter: three pipes, and a thread for each."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from autograder.sandbox.layers.paths import worker_environment
from autograder.sandbox.limits import LAST_SECONDS, kill_tree

if TYPE_CHECKING:
    from autograder.sandbox.limits import Limits

# Like -I, but PYTHONHASHSEED works: -s excludes the user's packages, -P the current folder, and `worker_environment`
# sets every PYTHON variable.
COMMAND = (sys.executable, "-s", "-P", "-m", "autograder.sandbox.inside.worker")

_CHUNK = 65536
# Chunks that wait to be read.
_MOST_UNREAD = 16


class FreshProcess:
    """A new interpreter. Threads read and write its pipes, because Windows cannot wait for several of them.

    Attributes: see `ForkedProcess`, which has the same methods.
    """

    lost = False

    def __init__(self, limits: Limits) -> None:
        self._scratch = tempfile.TemporaryDirectory(
            prefix="autograder-", ignore_cleanup_errors=True
        )
        seconds = int(limits.submission) + 1
        self.process = subprocess.Popen(
            (*COMMAND, str(limits.memory), str(seconds)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self._scratch.name,
            env=worker_environment(self._scratch.name),
            start_new_session=os.name == "posix",
        )
        self.answers_closed = False
        self.lag = LAST_SECONDS
        # Chunks, and whether they are of an answer. The last one of a pipe is empty.
        self._arrived: queue.Queue[tuple[bool, bytes]] = queue.Queue(_MOST_UNREAD)
        self._requests: queue.Queue[bytes] = queue.Queue(1)
        self._ending = threading.Lock()
        self._threads = [
            threading.Thread(target=self._collect, args=(self.process.stdout, True), daemon=True),
            threading.Thread(target=self._collect, args=(self.process.stderr, False), daemon=True),
            threading.Thread(target=self._send, args=(self.process.stdin,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self.process.pid

    @property
    def exit_code(self) -> int | None:
        """How the process ended, once it has closed its answers."""
        return self.process.poll() if self.answers_closed else None

    def write(self, data: bytearray) -> None:
        """Hand the bytes to the thread that writes, unless others wait for it."""
        if data and self._requests.empty():
            self._requests.put(bytes(data))
            data.clear()

    def read(self, seconds: float) -> tuple[bytes, bytes]:
        """Wait for so long at most; return what has arrived of the answers and of the output."""
        arrived = {True: b"", False: b""}
        with suppress(queue.Empty):
            for _ in range(_MOST_UNREAD):
                is_answer, chunk = self._arrived.get(timeout=seconds)
                arrived[is_answer] += chunk
                seconds = 0.0
                if not chunk and is_answer:
                    self.answers_closed = True
                elif not chunk:
                    self.lag = 0.0
        return arrived[True], arrived[False]

    def end(self) -> None:
        """End the process and everything that it started, once."""
        if self._ending.acquire(blocking=False):
            kill_tree(self.process)

    def close(self) -> None:
        """Wait for the threads, which close the pipes: a process that escaped may keep one open for long."""
        with suppress(queue.Full):
            self._requests.put_nowait(b"")
        self.read(0.0)
        for thread in self._threads:
            thread.join(timeout=1.0)
        self._scratch.cleanup()

    def _collect(self, stream: IO[bytes], is_answer: bool) -> None:
        with suppress(OSError), stream:
            while chunk := os.read(stream.fileno(), _CHUNK):
                self._arrived.put((is_answer, chunk))
        self._arrived.put((is_answer, b""))

    def _send(self, stream: IO[bytes]) -> None:
        """Write until the process has ended: one that does not read keeps nobody but this thread."""
        with suppress(OSError), stream:
            while data := self._requests.get():
                stream.write(data)
                stream.flush()
