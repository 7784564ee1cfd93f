"""One worker process, seen from the grader: started fresh, spoken to in frames, stopped with everything it started."""

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
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from autograder.errors import GraderFault, ProtocolError
from autograder.sandbox.places import environment
from autograder.sandbox.protocol import encode, frame, read_frame
from autograder.values import Mapping, Value, freeze

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Mapping as AbstractMapping

try:
    import psutil
except ImportError:  # without it the wall clock and the process group have to do
    psutil = None  # type: ignore[assignment]

# -s and -P keep the user's packages and the current folder out, and the environment below has no PYTHON variable but
# those set here: together that is what -I does, except that the order of sets can be fixed.
COMMAND = (sys.executable, "-s", "-P", "-m", "autograder.sandbox.worker")

MAX_PRINTED = 64 * 1024
# What prints more than this is stopped: nobody reads it, and reading it costs the grader time.
PRINTS_TOO_MUCH = 64 * 1024 * 1024
MAX_KEPT = 2000
START_LIMIT = 120.0
WALL_FACTOR = 4.0
SUBMISSION_FACTOR = 6.0
_POLL = 0.05
# One question is asked at a time; a worker that goes on talking is not listened to.
_MAX_UNREAD = 4


@dataclass(frozen=True)
class Limits:
    """What one check may use: CPU seconds (four times that by the wall clock) and megabytes of address space."""

    cpu: float = 10.0
    memory: int = 0

    @property
    def wall(self) -> float:
        """Wall-clock seconds for one check."""
        return self.cpu * WALL_FACTOR


class Stopped(Exception):
    """The worker did not answer: it ended, or it was stopped at a limit.

    Attributes:
        limit: `cpu`, `wall` or `output` where it was stopped there, else None.
        exit_code: how it ended by itself; negative for a signal.
        lost: the process that had forked it ended, and nobody knows why.
    """

    def __init__(
        self,
        printed: str,
        *,
        limit: str | None = None,
        exit_code: int | None = None,
        lost: bool = False,
    ) -> None:
        super().__init__(limit or f"exit code {exit_code}")
        self.printed = printed
        self.limit = limit
        self.exit_code = exit_code
        self.lost = lost


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


class Worker(Protocol):
    """A running worker, however it came to be."""

    @property
    def pid(self) -> int:
        """The number of its process."""
        ...

    def ask(self, body: bytes) -> tuple[Value, str]:
        """Send an encoded request; return the answer and what was printed meanwhile.

        Raises Stopped if no answer came, GraderFault if the worker never became ready.
        """
        ...

    def expect(self, bodies: Iterable[bytes]) -> None:
        """Be told what will be asked next, in this order, unless something goes wrong."""
        ...

    def close(self) -> None:
        """Stop the worker and everything that it started."""
        ...


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
        self._output.begin(mark)
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it is gone; the wait says how it ended
            self.process.stdin.write(mark.encode() + frame(body))
            self.process.stdin.flush()
        return self._wait_for_answer(mark), self._output.end()

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
            words = self._output.text().strip().splitlines()
            raise GraderFault(could_not_start(words[-1] if words else repr(answer)))
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
                    raise Stopped(self._output.text(), limit=limit) from None
                continue
            if isinstance(answer, EOFError):
                exit_code = self._end()
                raise Stopped(self._output.text(), exit_code=exit_code)
            if isinstance(answer, Exception):
                self.close()
                raise Stopped(self._output.text(), exit_code=None) from answer
            match answer:
                case Mapping(items=(("mark", str(found)), ("answer", content))) if found == mark:
                    return content
            self.close()  # not our worker's words, or those of an earlier request
            raise Stopped(self._output.text(), exit_code=None)

    def _cpu(self) -> float:
        return cpu_seconds(self.process.pid)

    def _end(self) -> int:
        """The exit code of a worker that closed its answers; it may still be on its way out."""
        try:
            code = self.process.wait(timeout=2.0)
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
                self._output.add(chunk)


class Output:
    """What the worker prints during one request, up to its mark, capped."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._whole = threading.Event()
        self.size = 0
        self._mark = b""
        self._kept = b""
        self._tail = b""

    def begin(self, mark: str) -> None:
        with self._lock:
            self._mark, self._kept, self._tail = mark.encode(), b"", b""
            self.size = 0
            self._whole.clear()

    def add(self, chunk: bytes) -> None:
        with self._lock:
            self.size += len(chunk)
            seen = self._tail + chunk
            if self._mark and self._mark in seen:
                self._whole.set()
            self._tail = seen[-64:]
            self._kept = (self._kept + chunk)[: MAX_PRINTED + 64]

    def end(self) -> str:
        """What was printed, once all of it has arrived."""
        self._whole.wait(timeout=2.0)
        return self.text()

    def text(self) -> str:
        with self._lock:
            kept = self._kept.partition(self._mark)[0] if self._mark else self._kept
        text = kept[:MAX_PRINTED].decode("utf-8", "replace")
        return text + "..." if len(kept) > MAX_PRINTED else text


def could_not_start(why: str) -> str:
    """The grader's own failure to start a worker, and what to do about it."""
    return (
        f"The worker could not start: {why}\n"
        "Is the kit installed whole? `python -m pip install self-attention-kit torch` "
        "(not the unrelated package `autograder`)."
    )


def cpu_seconds(pid: int) -> float:
    """The computing time that a process has used; 0 where that cannot be told, as for one that was reaped."""
    if psutil is None or pid < 1:
        return 0.0
    try:
        process = psutil.Process(pid)
        # There, the interpreter of a virtual environment starts the real one and waits for it.
        processes = [process, *(process.children() if os.name == "nt" else ())]
        times = [one.cpu_times() for one in processes]
    except psutil.Error:  # it has just ended: whoever waits for it is told
        return 0.0
    return float(sum(one.user + one.system for one in times))


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that descend from it, and wait for it."""
    if psutil is not None:
        with contextlib.suppress(psutil.Error):  # it may have ended by itself
            for child in psutil.Process(process.pid).children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    child.kill()
    if os.name == "posix":
        with contextlib.suppress(
            ProcessLookupError, PermissionError
        ):  # its group may be gone already
            os.killpg(process.pid, 9)
    process.kill()
    process.wait()
