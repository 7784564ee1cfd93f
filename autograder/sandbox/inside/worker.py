"""The untrusted process: loads a student's source and runs probes on it.

It holds no right answers. It reads requests from standard input and answers on what was standard output; what the
student prints goes to standard error. Each request carries a mark, which its answer repeats and which ends its output.
Forked by the fork server (`zygote`), or run as `python -m autograder.sandbox.inside.worker MEGABYTES SECONDS`.
"""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import io
import os
import queue
import sys
import threading
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from autograder.assignment.checks import Check, Probe, checks_of, run_source
from autograder.assignment.probes import gradient_reach, run
from autograder.reasons import Unsuitable
from autograder.sandbox.inside.student import StudentModule, describe, load
from autograder.values.values import Mapping, TooLarge, freeze, identical, thaw
from autograder.values.wire import MARK_LENGTH, encode, frame, read_frame, write_frame

if TYPE_CHECKING:
    from autograder.values.values import Value


@functools.lru_cache(maxsize=2)  # the run's, and those of the warm-up
def known_checks(probes: bytes) -> dict[str, Check]:
    """The checks in a test file's source, by name. The fork server fills this cache before it forks."""
    return {check.name: check for check in checks_of(run_source(probes, "probes"))}


class Observer:
    """One submission in this process: its module, and the checks whose probes run on it."""

    def __init__(self) -> None:
        self.checks: dict[str, Check] = {}
        self.student: StudentModule | None = None

    def reply(self, mark: str, request: Value) -> bytes:
        """The encoded answer to one request, with its mark. What cannot be encoded counts as an error of the step."""
        try:
            answer = self._answer(request)
        except BaseException as error:  # noqa: BLE001 - a student's object may break our own code
            answer = {"kind": "raised", "error": _bare(error)}
        try:
            return encode(freeze({"mark": mark, "answer": answer}))
        except TooLarge as error:
            answer = {"kind": "too_large", "why": str(error)[:300]}
        except Exception as error:  # noqa: BLE001 - a step may return our own records with wrong fields
            answer = {"kind": "raised", "error": _bare(error)}
        return encode(freeze({"mark": mark, "answer": answer}))

    def _answer(self, request: Value) -> dict[str, object]:
        assert isinstance(request, Mapping)
        fields: dict[Any, Any] = dict(request.items)
        operations = {"load": self._load, "observe": self._observe, "graph": self._graph}
        return operations[fields["op"]](fields)

    def _load(self, request: dict[str, Any]) -> dict[str, object]:
        self.checks = known_checks(request["probes"])
        pieces = thaw(request["pieces"])
        return self.load(request["name"], [(label, source) for label, source in pieces])

    def load(self, name: str, pieces: list[tuple[str, str]]) -> dict[str, object]:
        """Load a submission: pairs of label and source."""
        self.student = load(name, pieces)
        names = [
            name[:100]
            for name, thing in vars(self.student.module).copy().items()
            if type(name) is str and not name.startswith("__") and callable(thing)
        ]
        return {
            "names": names[:1000],
            "failures": self.student.failures[:20],
        }

    def _observe(self, request: dict[str, Any]) -> dict[str, object]:
        assert self.student is not None
        try:
            return self.observe(request)
        except SystemExit as error:
            return {"kind": "exited", "error": describe(error, self.student.labels)}
        except BaseException as error:  # noqa: BLE001 - whatever a student's code raises is an observation
            return {"kind": "raised", "error": describe(error, self.student.labels)}

    def observe(self, request: dict[str, Any]) -> dict[str, object]:
        """Run one probe. Raises what the student's code raises."""
        assert self.student is not None
        check = self.checks[request["check"]]
        if check.name not in vars(self.student.module):
            return {"kind": "missing"}
        probe = check.criterion(request["criterion"]).probes[request["probe"]]
        inputs = thaw(request["inputs"])
        try:
            returned = freeze(self.call(probe, inputs))
            changed = [
                name
                for name, value in request["inputs"].items
                if not identical(value, freeze(inputs[name]))
            ]
        except TooLarge as error:
            return {"kind": "too_large", "why": str(error)[:300]}
        except Unsuitable as error:
            return _unsuitable(error)
        return {"kind": "returned", "value": returned, "changed": changed}

    def call(self, probe: Probe, inputs: dict[str, Any]) -> object:
        """What a probe returns."""
        assert self.student is not None
        return run(probe, self.student.module, inputs)

    def _graph(self, request: dict[str, Any]) -> dict[str, object]:
        """What gradients reach; only remarks depend on it."""
        assert self.student is not None
        probe = (
            self.checks[request["check"]].criterion(request["criterion"]).probes[request["probe"]]
        )
        reached = gradient_reach(probe, self.student.module, thaw(request["inputs"]))
        return {"kind": "returned", "value": reached, "changed": []}


def _unsuitable(error: Unsuitable) -> dict[str, object]:
    """Why a probe could not go on."""
    fields = {"reason": error.reason, "name": error.name, "seen": error.seen}
    return {"kind": "unsuitable", **fields, "wanted": error.wanted}


def _bare(error: BaseException) -> dict[str, object]:
    """The name of an exception, without the parts that may have failed."""
    return {"type": type(error).__name__[:200], "message": "", "frames": []}


def limit_memory(megabytes: int) -> bool:
    """Limit this process's address space; False if the system has no such limit."""
    try:
        import resource  # noqa: PLC0415 - not on Windows

        size = megabytes * 1024 * 1024
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard != resource.RLIM_INFINITY:
            size = min(size, hard)
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    except (ImportError, OSError, ValueError):  # macOS has the limit but does not set it
        return False
    return True


class Streams:
    """The protocol's streams, moved away from descriptors 0 to 2, and the streams that a student prints to instead.

    Standard input is empty. Output is not buffered, so it arrives even if the process ends next.
    """

    def __init__(self) -> None:
        self.requests: BinaryIO = os.fdopen(os.dup(0), "rb")
        self.answers: BinaryIO = os.fdopen(os.dup(1), "wb")
        self._output = os.dup(2)
        self._printers: list[TextIO] = []  # keep all open: a student may hold the buffer of one
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        self.begin()

    def begin(self) -> None:
        """Make new streams for printing: an earlier step may have closed or replaced them."""
        for descriptor in (1, 2):
            os.dup2(self._output, descriptor)
        sys.stdout, sys.stderr = _printer(1), _printer(2)
        self._printers += [sys.stdout, sys.stderr]

    def end(self, mark: str) -> None:
        """Write the mark that ends this request's output."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):  # the student's own stream may do anything
                stream.flush()
        os.write(self._output, mark.encode())


def _printer(descriptor: int) -> io.TextIOWrapper:
    """An unbuffered text stream, as under `python -u`."""
    raw: Any = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(raw, "utf-8", "backslashreplace", newline="\n", write_through=True)


def read_request(requests: BinaryIO) -> tuple[str, Value]:
    """The next mark and request. Raises EOFError if the grader has ended."""
    mark = requests.read(MARK_LENGTH)
    if len(mark) < MARK_LENGTH:
        raise EOFError
    return mark.decode("ascii"), read_frame(requests)


def serve(streams: Streams) -> None:
    """Send the greeting, then answer requests until the grader closes the stream."""
    greet(streams)
    observer = Observer()
    with contextlib.suppress(EOFError):
        while True:
            answer_one(streams, observer, *read_request(streams.requests))
    os._exit(0)


def greet(streams: Streams) -> None:
    """Send the first frame, before any request: this worker is ready."""
    import torch  # noqa: PLC0415 - after the streams are moved: importing takes a second and may print

    torch.set_num_threads(1)
    write_frame(streams.answers, freeze({"torch": torch.__version__}))


def answer_one(streams: Streams, observer: Observer, mark: str, request: Value) -> None:
    """Answer one request."""
    process = os.getpid()
    streams.begin()
    answer = observer.reply(mark, request)
    if os.getpid() != process:
        os._exit(0)  # the student forked; only the parent answers
    streams.end(mark)
    streams.answers.write(frame(answer))
    streams.answers.flush()


def receive(requests: BinaryIO, waiting: queue.SimpleQueue[tuple[str, Value]]) -> None:
    """Queue requests. When the grader ends, end this process, even while student code runs."""
    try:
        while True:
            waiting.put(read_request(requests))
    finally:
        os._exit(0)


def main() -> None:
    """Run as a worker without a fork server: it must notice by itself that the grader has ended."""
    memory, wall = int(sys.argv[1]), float(sys.argv[2])
    streams = Streams()
    greet(streams)
    if memory:
        limit_memory(memory)
    waiting: queue.SimpleQueue[tuple[str, Value]] = queue.SimpleQueue()
    threading.Thread(target=receive, args=(streams.requests, waiting), daemon=True).start()
    observer = Observer()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    while True:
        mark, request = waiting.get()
        # For code that lets no other thread run, such as a sum over a huge range: `receive` cannot end it.
        faulthandler.dump_traceback_later(2 * wall, exit=True, file=nowhere)
        answer_one(streams, observer, mark, request)
        faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main()
