"""Each worker in a new interpreter: works on every system, and takes a second to import torch."""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import subprocess
import sys
import tempfile
import threading
from typing import TYPE_CHECKING

from autograder.errors import GraderFault, ProtocolError
from autograder.sandbox.layers.paths import environment
from autograder.sandbox.limits import (
    START_LIMIT,
    Limits,
    Stopped,
    could_not_start,
    kill_tree,
)
from autograder.sandbox.loading import NOTHING, Before
from autograder.sandbox.printed import Output
from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.usage import LOOK, Usage
from autograder.values.values import DictValue, Value
from autograder.values.wire import MARK_LENGTH, announced, called, decode, frame, read_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.exam.questions import Batch
    from autograder.sandbox.loading import Loading

# Like -I, but PYTHONHASHSEED works: -s excludes the user's packages, -P the current folder, and `environment` sets
# every PYTHON variable.
COMMAND = (sys.executable, "-s", "-P", "-m", "autograder.sandbox.inside.worker")

# How long to wait for the last output, or for the end of a worker that closed its answers.
_LAST_SECONDS = 2.0
_Statement = tuple[int, int] | None  # its number, and what it does
# A worker gets one request at a time. Stop reading its answers if more than these are waiting.
_MAX_UNREAD = 4


class FreshSandbox(Sandbox):
    """Starts each worker in a new interpreter."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._spare: FreshWorker | None = None

    def prepare(self) -> None:
        """Start a worker before it is needed."""
        self._spare = self.start()

    def start(self) -> FreshWorker:
        """A worker, the prepared one if there is one. Raises GraderFault if the sandbox is closed."""
        with self._lock:
            if self._closed:
                raise GraderFault("The sandbox has been closed.")
            if self._spare is not None:
                spare, self._spare = self._spare, None
                return spare
            worker = FreshWorker(self.limits)
            self._workers.add(worker)
            return worker


class FreshWorker:
    """A worker in a new interpreter. The first `ask` waits until torch is imported."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._scratch = tempfile.TemporaryDirectory(
            prefix="autograder-", ignore_cleanup_errors=True
        )
        self.process = subprocess.Popen(
            (*COMMAND, str(limits.memory), str(limits.wall)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self._scratch.name,
            env=environment(self._scratch.name),
            start_new_session=os.name == "posix",
        )
        self._statement: _Statement = None
        # Each answer, or a stand-in's question as bytes, with the last statement announced before it.
        self._answers: queue.Queue[tuple[_Statement, Value | bytes | Exception]] = queue.Queue()
        self._told: _Statement = None
        self._output = Output()
        self._printed = threading.Condition()  # one thread reads the output, another waits for it
        self._ready = False
        self._closed = False
        self._writer: threading.Thread | None = None
        self._threads = [
            threading.Thread(target=self._read_answers, daemon=True),
            threading.Thread(target=self._read_output, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self.process.pid

    @property
    def printed(self) -> int:
        """Bytes of output in the current request."""
        return self._output.size

    def ask(self, body: bytes, before: Before = NOTHING) -> tuple[Value, str]:
        """Send an encoded request; return the answer and the output of the request.

        `before` receives what the worker sends before it answers.
        Raises Stopped if no answer came, GraderFault if the worker did not start.
        """
        self._wait_until_ready()
        mark = secrets.token_hex(MARK_LENGTH // 2)
        with self._printed:
            self._output.expect(mark)
        usage = Usage(self._limits, before.loading)
        self._send(frame(body) + mark.encode(), usage)
        return self._wait_for_answer(mark, before, usage), self._output_of(mark)

    def _send(self, data: bytes, usage: Usage) -> None:
        """Write in a thread: a worker that does not read must not keep the grader from checking the limits."""
        self._writer = threading.Thread(target=self._write, args=(data,), daemon=True)
        self._writer.start()
        while self._writer.is_alive():
            self._writer.join(LOOK)
            if self._writer.is_alive() and (limit := usage.exceeded(self)):
                self.close()
                raise Stopped(self._text(), limit=limit)

    def _write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # the worker has ended; the wait says how
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def _output_of(self, mark: str) -> str:
        with self._printed:
            self._printed.wait_for(lambda: self._output.has(mark), _LAST_SECONDS)
            return self._output.end(mark)

    def _text(self) -> str:
        with self._printed:
            return self._output.text()

    def expect(self, batches: Iterable[Batch]) -> None:
        """Do nothing: this worker gets one request at a time."""

    def _wait_until_ready(self) -> None:
        if self._ready:
            return
        try:
            _, answer = self._answers.get(timeout=START_LIMIT)
        except queue.Empty:
            self.close()
            raise GraderFault(
                f"The worker was not ready after {START_LIMIT:.0f} seconds."
            ) from None
        if isinstance(answer, Exception):
            self.close()
            lines = self._text().strip().splitlines()
            raise GraderFault(could_not_start(lines[-1] if lines else repr(answer)))
        self._text()  # discard the output of importing torch
        self._ready = True

    def _wait_for_answer(self, mark: str, before: Before, usage: Usage) -> Value:
        loading = before.loading
        while True:
            try:
                statement, answer = self._answers.get(timeout=LOOK)
            except queue.Empty:
                self._tell(loading, self._statement)
                if limit := usage.exceeded(self):
                    self.close()
                    raise Stopped(self._text(), limit=limit) from None
                continue
            self._tell(loading, statement)
            if isinstance(answer, bytes) and before.reply is not None:
                self._send(before.reply(answer), usage)
                continue
            if isinstance(answer, EOFError):
                exit_code = self._end()
                raise Stopped(self._text(), exit_code=exit_code)
            if isinstance(answer, Exception):
                self.close()
                raise Stopped(self._text(), exit_code=None) from answer
            match answer:
                case DictValue(items=(("mark", str(found)), ("answer", content))) if found == mark:
                    return content
            self.close()  # a forged answer, or the answer to an earlier request
            raise Stopped(self._text(), exit_code=None)

    def _tell(self, loading: Loading | None, statement: _Statement) -> None:
        """Tell `loading` which statement was announced last."""
        if loading is not None and statement is not None and statement is not self._told:
            self._told = statement
            loading.announced(*statement)

    def _end(self) -> int:
        """Wait for a worker that closed its answers; return its exit code."""
        try:
            code = self.process.wait(timeout=_LAST_SECONDS)
        except subprocess.TimeoutExpired:
            code = -9
        self.close()
        return code

    def close(self) -> None:
        """Stop the worker and everything that it started."""
        if self._closed:
            return
        self._closed = True
        kill_tree(self.process)
        # Each reader closes its own stream: a process that escaped may keep it open for long.
        threads = [*self._threads, *([self._writer] if self._writer else [])]
        for thread in threads:
            thread.join(timeout=1.0)
        assert self.process.stdin is not None
        if self._writer is None or not self._writer.is_alive():  # else it closes with that thread
            with contextlib.suppress(OSError):  # unsent bytes for a process that has ended
                self.process.stdin.close()
        self._scratch.cleanup()

    def _read_answers(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            while self._answers.qsize() < _MAX_UNREAD:
                try:
                    body = read_body(stream)
                    if statement := announced(body):
                        self._statement = statement
                    else:
                        fields = called(body)
                        answer = decode(body) if fields is None else fields
                        self._answers.put((self._statement, answer))
                except (EOFError, ProtocolError, OSError) as error:
                    self._answers.put((self._statement, error))
                    return

    def _read_output(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as stream:
            while chunk := os.read(stream.fileno(), 65536):
                with self._printed:
                    self._output.add(chunk)
                    self._printed.notify()
