"""Workers in interpreters of their own: every system has them, and each needs a second to import torch."""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from typing import TYPE_CHECKING

from autograder.errors import GraderFault, ProtocolError
from autograder.sandbox.layers.paths import environment
from autograder.sandbox.limits import (
    PRINTS_TOO_MUCH,
    START_LIMIT,
    Limits,
    Stopped,
    Worker,
    could_not_start,
    cpu_seconds,
    kill_tree,
)
from autograder.sandbox.printed import Output
from autograder.values.values import Mapping, Value, freeze
from autograder.values.wire import encode, frame, read_frame

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Mapping as AbstractMapping

# -s and -P keep the user's packages and the current folder out, and the environment below has no PYTHON variable but
# those set here: together that is what -I does, except that the order of sets can be fixed.
COMMAND = (sys.executable, "-s", "-P", "-m", "autograder.sandbox.inside.worker")

MAX_KEPT = 2000
_POLL = 0.05
# How long a worker that has answered, or can no longer answer, may take for the rest.
_LAST_SECONDS = 2.0
# One question is asked at a time; a worker that goes on talking is not listened to.
_MAX_UNREAD = 4


class Sandbox:
    """Starts workers, and stops all that are left when it is closed.

    Attributes:
        layers: what stands between a student's code and this machine; every result names them.
    """

    layers: tuple[str, ...] = ("process",)

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        self._workers: set[Worker] = set()
        self._spare: Worker | None = None
        self._closed = False
        self._requests: dict[tuple[object, ...], tuple[object, bytes]] = {}

    def request(
        self,
        operation: str,
        step: str,
        aspect: str,
        probe: int,
        inputs: AbstractMapping[str, Value],
    ) -> bytes:
        """An encoded request. Every submission is asked the same, so each is encoded once."""
        key = (operation, step, aspect, probe, id(inputs))
        kept = self._requests.get(key)
        if kept is None:
            request = {"op": operation, "check": step, "aspect": aspect, "probe": probe}
            body = encode(freeze({**request, "inputs": dict(inputs)}))
            kept = (inputs, body)  # the inputs too: nothing else may get their id
            if len(self._requests) >= MAX_KEPT:  # what only one submission is asked adds up
                self._requests.clear()
            self._requests[key] = kept
        return kept[1]

    def survey(self) -> dict[str, str]:
        """For each layer why it is not worn, empty where it is."""
        return dict.fromkeys(self.layers, "")

    def prepare(self) -> None:
        """Start a worker before it is needed: importing torch takes it a second."""
        self._spare = self.start()

    def start(self) -> Worker:
        """A worker, the prepared one if there is one. Raises GraderFault once the sandbox is closed."""
        with self._lock:
            if self._closed:
                raise GraderFault("The sandbox has been closed.")
            if self._spare is not None:
                spare, self._spare = self._spare, None
                return spare
            worker = FreshWorker(self.limits)
            self._workers.add(worker)
            return worker

    def stop(self, worker: Worker) -> None:
        """Stop a worker and everything that it started."""
        with self._lock:
            self._workers.discard(worker)
        worker.close()

    def close(self) -> None:
        """Stop all workers; whoever waits for one of them is told that it ended."""
        with self._lock:
            self._closed = True
            workers, self._workers = self._workers, set()
        for worker in workers:
            worker.close()


class FreshWorker:
    """A worker in an interpreter of its own. `start` returns at once; the first `ask` waits until torch is imported."""

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
        self._answers: queue.Queue[Value | Exception] = queue.Queue()
        self._output = Output()
        self._printed = (
            threading.Condition()
        )  # for two threads: one reads the output, one waits for it
        self._ready = False
        self._closed = False
        self._threads = [
            threading.Thread(target=self._read_answers, daemon=True),
            threading.Thread(target=self._read_output, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self.process.pid

    def ask(self, body: bytes) -> tuple[Value, str]:
        """Send an encoded request; return the answer and what was printed meanwhile.

        Raises Stopped if no answer came, GraderFault if the worker never became ready.
        """
        self._wait_until_ready()
        mark = secrets.token_hex(16)
        with self._printed:
            self._output.expect(mark)
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it is gone; the wait says how it ended
            self.process.stdin.write(mark.encode() + frame(body))
            self.process.stdin.flush()
        return self._wait_for_answer(mark), self._output_of(mark)

    def _output_of(self, mark: str) -> str:
        with self._printed:
            self._printed.wait_for(lambda: self._output.has(mark), _LAST_SECONDS)
            return self._output.end(mark)

    def _text(self) -> str:
        with self._printed:
            return self._output.text()

    def expect(self, bodies: Iterable[bytes]) -> None:
        """Nothing: this worker is asked one thing at a time."""

    def _wait_until_ready(self) -> None:
        if self._ready:
            return
        try:
            answer = self._answers.get(timeout=START_LIMIT)
        except queue.Empty:
            self.close()
            raise GraderFault(
                f"The worker was not ready after {START_LIMIT:.0f} seconds."
            ) from None
        if isinstance(answer, Exception):
            self.close()
            words = self._text().strip().splitlines()
            raise GraderFault(could_not_start(words[-1] if words else repr(answer)))
        self._text()  # what importing torch said is nobody's output
        self._ready = True

    def _wait_for_answer(self, mark: str) -> Value:
        started = time.monotonic()
        cpu_before = self._cpu()
        while True:
            try:
                answer = self._answers.get(timeout=_POLL)
            except queue.Empty:
                limit = None
                if self._output.size > PRINTS_TOO_MUCH:
                    limit = "output"
                elif self._cpu() - cpu_before > self._limits.cpu:
                    limit = "cpu"
                elif time.monotonic() - started > self._limits.wall:
                    limit = "wall"
                if limit:
                    self.close()
                    raise Stopped(self._text(), limit=limit) from None
                continue
            if isinstance(answer, EOFError):
                exit_code = self._end()
                raise Stopped(self._text(), exit_code=exit_code)
            if isinstance(answer, Exception):
                self.close()
                raise Stopped(self._text(), exit_code=None) from answer
            match answer:
                case Mapping(items=(("mark", str(found)), ("answer", content))) if found == mark:
                    return content
            self.close()  # not our worker's words, or those of an earlier request
            raise Stopped(self._text(), exit_code=None)

    def _cpu(self) -> float:
        return cpu_seconds(self.process.pid)

    def _end(self) -> int:
        """The exit code of a worker that closed its answers; it may still be on its way out."""
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
        # Each reader closes its own stream: a process that got away may keep it open for long.
        for thread in self._threads:
            thread.join(timeout=1.0)
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):  # unsent bytes for a process that is gone
            self.process.stdin.close()
        self._scratch.cleanup()

    def _read_answers(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            while self._answers.qsize() < _MAX_UNREAD:
                try:
                    self._answers.put(read_frame(stream))
                except (EOFError, ProtocolError, OSError) as error:
                    self._answers.put(error)
                    return

    def _read_output(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as stream:
            while chunk := os.read(stream.fileno(), 65536):
                with self._printed:
                    self._output.add(chunk)
                    self._printed.notify()
