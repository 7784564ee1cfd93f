"""The untrusted process: loads a student's source and runs probes on it.

It holds no right answers. It reads requests from standard input and answers each on what was standard output; what the
student prints goes to standard error. Each request has a mark, which its answer repeats and which ends its output.
Forked by the fork server (`zygote`), or run as `python -m autograder.sandbox.inside.worker MEGABYTES SECONDS`.
"""

from __future__ import annotations

import contextlib
import contextvars
import os
import queue
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from autograder.assignment import libraries
from autograder.assignment.checks import VALUE
from autograder.assignment.probes import gradient_reach, run
from autograder.assignment.recorder import Recorder
from autograder.reasons import Unsuitable
from autograder.sandbox.inside.few_lines import few_lines
from autograder.sandbox.inside.memory import limit_computing, limit_memory
from autograder.sandbox.inside.own_code import known_checks, own_code
from autograder.sandbox.inside.packages import import_only
from autograder.sandbox.inside.settings import Settings, all_settings
from autograder.sandbox.inside.stand_ins import Asking, StandIn, class_standing_in
from autograder.sandbox.inside.streams import Streams
from autograder.sandbox.inside.student import REPORTED, Skips, StudentModule, bare, describe, load
from autograder.sandbox.inside.uninitialised import filled, silence
from autograder.values.values import DictValue, TooLarge, freeze, freeze_answer, identical, thaw
from autograder.values.wire import MARK_LENGTH, READY, encode, read_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from autograder.assignment.checks import Check, Probe
    from autograder.sandbox.inside.packages import Packages
    from autograder.values.values import Value

    Fields = dict[str, Any]

MAX_FAILURES = 20  # of one submission
FAR_TOO_LARGE = 50_000  # bytes of an answer; right ones have some hundreds


class Observer:
    """One submission in this process: its module, and the checks whose probes run on it.

    Attributes:
        packages: what is put back when the submission has replaced packages; None for those of its beginning.
    """

    def __init__(
        self,
        announce: Callable[[int, int], None] = lambda _number, _does: None,
        asking: Asking | None = None,
    ) -> None:
        self._announce = announce
        self._asking = asking
        self.checks: dict[str, Check] = {}
        self.packages: Packages | None = None
        self.student: StudentModule | None = None
        self._recorder: Recorder | None = None
        self._libraries: libraries.Kept = ()
        self._fruitless: set[str] = set()  # checks whose value raised an exception or is too large
        silence()

    def reply(self, mark: str, request: Fields) -> bytes:
        """The encoded answer to one request, with its mark. What cannot be encoded counts as an error of the step."""
        try:
            with self._asking or contextlib.nullcontext():
                answer = contextvars.Context().run(self._answer, request)
        except BaseException as error:  # noqa: BLE001 - a student's object may break our own code
            answer = {"kind": "raised", "error": bare(error)}
        encoded = _encoded(mark, answer)
        useless = answer.get("kind") in ("raised", "too_large") or len(encoded) > FAR_TOO_LARGE
        if useless and request.get("criterion") == VALUE:
            self._fruitless.add(request["check"])
        return encoded

    def _answer(self, request: Fields) -> dict[str, object]:
        operations = {
            "load": self.load,
            "observe": self._observe,
            "graph": self._graph,
            "trace": self._trace,
            "try": self._try,
        }
        if request.get("optional") and request["check"] in self._fruitless:  # it is put off
            return {}
        return operations[request["op"]](request)

    def load(self, request: Fields) -> dict[str, object]:
        """Load a submission, and the checks if the request has them; return what came of it."""
        try:
            if "probes" in request:
                self.checks = known_checks(request["probes"])
        except BaseException as error:  # noqa: BLE001 - a student's copy of the checks
            return {"kind": "no_checks", "error": bare(error)}
        self._recorder = Recorder() if request.get("traced") else None
        if imports := thaw(request.get("imports")):
            import_only(request["name"], [request["name"], *imports])
        refuse_compile()
        with filled():
            self.student = load(
                request["name"],
                [(label, source) for label, source in thaw(request["pieces"])],
                self.checks,
                thaw(request.get("classes", ())),
                skips=Skips(**thaw(request.get("skips", {}))),
                announce=self._announce,
                stand_ins=dict(self._stand_ins(request)),
                packages=self.packages,
                recorder=self._recorder,
            )
        self._libraries = libraries.keep()
        names = [
            name[:100]
            for name, thing in vars(self.student.module).copy().items()
            if type(name) is str and not name.startswith("__") and callable(thing)
        ]
        found = {name: getattr(self.student, name)[:MAX_FAILURES] for name in REPORTED}
        return {"names": names[:1000], **found}

    def _stand_ins(self, request: Fields) -> Iterator[tuple[str, Any]]:
        """Yield the stand-ins for some steps, each with its name."""
        classes = thaw(request.get("classes", ()))
        for name, parameters in thaw(request.get("stand_ins", {})).items():
            assert self._asking is not None
            make = class_standing_in if name in classes else StandIn
            yield name, make(name, parameters, self._asking)

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
        unfit = [rebinding["name"] for rebinding in self.student.unfit]
        if check.name not in vars(self.student.module) or check.name in unfit:
            return {"kind": "missing"}
        probe = self._probe(request)
        inputs = thaw(request["inputs"])
        try:
            returned = freeze_answer(self.call(probe, inputs))
            changed = [
                name
                for name, value in request["inputs"].items
                if not identical(value, freeze_answer(inputs[name]))
            ]
        except TooLarge as error:
            return {"kind": "too_large", "why": str(error)[:300]}
        except Unsuitable as error:
            return {"kind": "unsuitable", **vars(error)}
        return {"kind": "returned", "value": returned, "changed": changed}

    def call(self, probe: Probe, inputs: dict[str, Any]) -> object:
        """Run a probe on the student's module; return its result."""
        assert self.student is not None
        with self._student_runs():
            return run(probe, self.student.module, inputs)

    @contextlib.contextmanager
    def _student_runs(self) -> Iterator[None]:
        """Fill memory that is never written. Afterwards undo what the step changed in libraries."""
        libraries.resume(self._libraries)
        try:
            with filled():
                yield
        finally:
            libraries.put_back(self._libraries)

    def _trace(self, request: dict[str, Any]) -> dict[str, object]:
        """Observe, and record what the expressions of the file's functions compute."""
        assert self._recorder is not None
        with self._recorder.recording():
            answer = self._observe(request)
        return {"kind": "traced", "answer": answer, "records": self._recorder.records()}

    def _try(self, request: dict[str, Any]) -> dict[str, object]:
        """Observe with another definition in the place of one of the submission's; only words depend on it."""
        assert self.student is not None
        label, line, text = thaw(request["edited"])
        names = vars(self.student.module)
        kept = names.copy()
        try:
            with few_lines(self.student.labels):
                exec(compile("\n" * (line - 1) + text, label, "exec", dont_inherit=True), names)
                return self._observe(request)
        except BaseException as error:  # noqa: BLE001 - whatever a student's code raises is an observation
            return {"kind": "raised", "error": bare(error)}
        finally:
            names.clear()
            names.update(kept)

    def _graph(self, request: dict[str, Any]) -> dict[str, object]:
        """Return what the gradients of a result reach; only remarks depend on it."""
        assert self.student is not None
        inputs = thaw(request["inputs"])
        with self._student_runs():
            reached = gradient_reach(self._probe(request), self.student.module, inputs)
        return {"kind": "returned", "value": freeze(reached), "changed": []}

    def _probe(self, request: dict[str, Any]) -> Probe:
        probes = self.checks[request["check"]].criterion(request["criterion"]).all_probes
        number: int = request["probe"]
        return probes[number]


def _encoded(mark: str, answer: dict[str, Any]) -> bytes:
    """Return the mark, and then the answer."""
    try:
        return mark.encode() + encode(freeze(answer))
    except TooLarge as error:
        answer = {"kind": "too_large", "why": str(error)[:300]}
    except Exception as error:  # noqa: BLE001 - a student may have changed our own records or functions
        answer = {"kind": "raised", "error": bare(error)}
    return mark.encode() + encode(freeze(answer))


def refuse_compile() -> None:
    """Let `torch.compile` raise: it imports for seconds, then starts a compiler, which the sandbox forbids."""
    import torch  # noqa: PLC0415 - a worker has imported it before

    torch.compile = _compile


def _compile(*_arguments: object, **_options: object) -> NoReturn:
    raise RuntimeError(
        "torch.compile is not available in the checks: it starts a C++ compiler. "
        "Remove it; the code does the same without it, only slower."
    )


def received(messages: BinaryIO) -> Iterator[tuple[str, Fields]]:
    """Yield the requests, each with its mark. Raises EOFError if the grader has ended.

    A mark follows its request: it is read only when its request is next.
    """
    while True:
        request = fields_of(read_frame(messages))
        mark = messages.read(MARK_LENGTH)
        if len(mark) < MARK_LENGTH:
            raise EOFError
        yield mark.decode("ascii"), request


def fields_of(message: Value) -> Fields:
    """Return the fields of a request."""
    assert isinstance(message, DictValue)
    return dict(message.items)  # type: ignore[arg-type]


def serve(streams: Streams, messages: Iterator[tuple[str, Fields]]) -> NoReturn:
    """Answer requests until the grader closes the stream."""
    observer = Observer(streams.announce, Asking(partial(streams.ask, messages)))
    settings = Settings(all_settings())
    own = None
    with contextlib.suppress(EOFError):
        for mark, request in messages:
            own = own or own_code(request["probes"], serve)
            own.put_back()
            settings.put_back()
            observer.packages = own.packages
            answer_one(streams, observer, mark, request)
    os._exit(0)


def greet(streams: Streams) -> None:
    """Send the first frame, before any request: this worker is ready."""
    import torch  # noqa: PLC0415 - after the streams are moved: importing takes a second and may print

    torch.set_num_threads(1)
    streams.answer(READY, _encoded(READY, {}))


def answer_one(streams: Streams, observer: Observer, mark: str, request: Fields) -> None:
    """Answer one request."""
    process = os.getpid()
    streams.begin()
    answer = observer.reply(mark, request)
    if os.getpid() != process:
        os._exit(0)  # the student forked; only the parent answers
    streams.answer(mark, answer)


def from_thread(messages: BinaryIO) -> Iterator[tuple[str, Fields]]:
    """Yield requests that a thread reads. When the grader ends, it ends this process, even while student code runs."""
    waiting: queue.SimpleQueue[tuple[str, Fields]] = queue.SimpleQueue()

    def receive() -> None:
        try:
            for message in received(messages):
                waiting.put(message)
        finally:
            os._exit(0)

    threading.Thread(target=receive, daemon=True).start()
    while True:
        yield waiting.get()


def main() -> None:
    """Run as a worker without a fork server: it must notice by itself that the grader has ended."""
    memory, seconds = map(int, sys.argv[1:])
    streams = Streams()
    greet(streams)
    limit_computing(seconds)
    if memory:
        limit_memory(memory)
    serve(streams, from_thread(streams.requests))


if __name__ == "__main__":
    main()
