"""Each worker in a new interpreter: works on every system, and takes a second to import torch."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from autograder.errors import GraderFault
from autograder.sandbox.client import LAST_SECONDS, Worker
from autograder.sandbox.layers.paths import environment
from autograder.sandbox.limits import BACKSTOP, kill_tree
from autograder.sandbox.sandbox import Sandbox

if TYPE_CHECKING:
    from autograder.sandbox.limits import Limits

# Like -I, but PYTHONHASHSEED works: -s excludes the user's packages, -P the current folder, and `environment` sets
# every PYTHON variable.
COMMAND = (sys.executable, "-s", "-P", "-m", "autograder.sandbox.inside.worker")

_CHUNK = 65536
# The bytes of answers, or of output, that wait to be read.
_MOST_UNREAD = 1 << 20


class FreshSandbox(Sandbox):
    """Starts each worker in a new interpreter."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._spare: Worker | None = None

    def prepare(self) -> None:
        """Start a worker before it is needed."""
        self._spare = self.start()

    def start(self) -> Worker:
        """A worker, the prepared one if there is one. Raises GraderFault if the sandbox is closed."""
        with self._lock:
            if self._closed:
                raise GraderFault("The sandbox has been closed.")
            if self._spare is not None:
                spare, self._spare = self._spare, None
                return spare
            worker = Worker(FreshProcess(self.limits), self.limits)
            self._workers.add(worker)
            return worker


class FreshProcess:
    """A new interpreter. Threads read and write its pipes, because Windows cannot wait for several of them.

    Attributes: see `autograder.sandbox.client.Process`.
    """

    lost = False

    def __init__(self, limits: Limits) -> None:
        self._scratch = tempfile.TemporaryDirectory(
            prefix="autograder-", ignore_cleanup_errors=True
        )
        self.process = subprocess.Popen(
            (*COMMAND, str(limits.memory), str(BACKSTOP * limits.wall)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self._scratch.name,
            env=environment(self._scratch.name),
            start_new_session=os.name == "posix",
        )
        self.answers_closed = False
        self.lag = LAST_SECONDS
        self._answers, self._output = bytearray(), bytearray()
        self._requests = b""
        self._ended = self._news = False
        self._change = threading.Condition()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._threads = [
            threading.Thread(target=self._read_answers, args=(self.process.stdout,), daemon=True),
            threading.Thread(target=self._read_output, args=(self.process.stderr,), daemon=True),
            threading.Thread(target=self._write_requests, args=(self.process.stdin,), daemon=True),
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
        """Hand the bytes to the thread that writes, if it has written those before."""
        with self._change:
            if data and not self._requests:
                self._requests = bytes(data)
                data.clear()
                self._change.notify_all()

    def read(self, seconds: float) -> tuple[bytes, bytes]:
        """Wait for so long at most; return what has arrived of the answers and of the output."""
        with self._change:
            self._change.wait_for(lambda: self._news, seconds)
            arrived = bytes(self._answers), bytes(self._output)
            self._answers.clear()
            self._output.clear()
            self._news = False
            self._change.notify_all()
        return arrived

    def end(self) -> None:
        """End the process and everything that it started."""
        with self._change:
            ended, self._ended = self._ended, True
            self._change.notify_all()
        if not ended:
            kill_tree(self.process)

    def close(self) -> None:
        """Wait for the threads, which close the pipes: a process that escaped may keep one open for long."""
        for thread in self._threads:
            thread.join(timeout=1.0)
        self._scratch.cleanup()

    def _read_answers(self, stream: IO[bytes]) -> None:
        self._collect(stream, self._answers)
        with self._change:
            self.answers_closed = self._news = True
            self._change.notify_all()

    def _read_output(self, stream: IO[bytes]) -> None:
        self._collect(stream, self._output)
        with self._change:
            self.lag = 0.0
            self._news = True
            self._change.notify_all()

    def _collect(self, stream: IO[bytes], arrived: bytearray) -> None:
        def has_room() -> bool:
            return len(arrived) < _MOST_UNREAD or self._ended

        with suppress(OSError), stream:
            while chunk := os.read(stream.fileno(), _CHUNK):
                with self._change:
                    self._change.wait_for(has_room)
                    arrived += chunk
                    self._news = True
                    self._change.notify_all()

    def _write_requests(self, stream: IO[bytes]) -> None:
        """Write until the process has ended: one that does not read keeps nobody but this thread."""
        with suppress(OSError), stream:
            while True:
                with self._change:
                    self._change.wait_for(lambda: self._requests or self._ended)
                    if self._ended:
                        return
                stream.write(self._requests)
                stream.flush()
                with self._change:
                    self._requests = b""
                    self._news = True
                    self._change.notify_all()
