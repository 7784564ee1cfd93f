"""Frames as a hostile worker may send them, and what the grader has to make of each.

What is drawn are right answers with a few bytes changed, and answers with anything in their fields. Each is decoded,
read as an answer, judged by the grader, or sent through the pipes of a worker that is none.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import struct
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any
from unittest import mock

from hypothesis import strategies as st

from autograder.errors import GraderFault, ProtocolError
from autograder.exam.questions import Batch
from autograder.explain.feedback_text import check_markdown
from autograder.grading.explaining import Explaining
from autograder.grading.grader import Grader
from autograder.reasons import UNSUITABLE
from autograder.results import LoadReport, Observation, Outcome
from autograder.sandbox import client, worker_answers
from autograder.sandbox.client import Worker
from autograder.sandbox.forked import ForkedProcess
from autograder.sandbox.limits import Limits, Stopped
from autograder.sandbox.printed import MAX_PRINTED
from autograder.sandbox.session import Session
from autograder.values.values import MAX_ITEMS, freeze
from autograder.values.wire import (
    EXIT_CODE,
    HEADER_SIZE,
    MAGIC,
    MAX_FRAME,
    READY,
    STARTED,
    decode,
    encode,
    frame,
)
from tests.exams import exam_of
from tests.values.test_wire import values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from autograder.exam.questions import Exam
    from autograder.results import StudentError
    from autograder.values.values import Value


UNSHOWABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
LONGEST_TEXT = 20_000

_MARK = "0123456789abcdef0123456789abcdef"
_TAGS = b"NTFIDSBOALM"
_COUNTS = (0, 1, 2, 3, 255, 256, 65_535, MAX_ITEMS, MAX_ITEMS + 1, MAX_FRAME, 2**31, 2**32 - 1)
_LINE = {"file": "work.py", "line": 3, "function": "step", "text": "return 1 / 0"}
_ERROR = {
    "type": "ZeroDivisionError",
    "message": "division by zero",
    "frames": [_LINE, _LINE],
    "existing": ["x"],
    "place": [3, 3, 4, 16],
}
_ANSWERS: tuple[dict[str, object], ...] = (
    {"kind": "returned", "value": [1, 2.5, "three", None, True, b"six"], "changed": ["x", "queries"]},
    {"kind": "returned", "value": {"q": 1.0, "k": {"deep": [[[]]]}}, "changed": []},
    {"kind": "missing"},
    {"kind": "too_large", "why": "a text of 100001 characters"},
    {"kind": "unsuitable", "reason": "no_bias", "name": "\x1b[1mbold", "seen": "", "wanted": [3]},
    {"kind": "exited", "error": {**_ERROR, "type": "SystemExit"}},
    {"kind": "raised", "error": _ERROR},
    {
        "names": ["project", "attention_score"],
        "failures": [{**_ERROR, "defines": ["keys"]}, {**_ERROR, "defines": []}],
        "unfit": [{"name": "project", "type": "Tensor", "frame": _ERROR["frames"][0]}],
        "replaced": [],
        "skipped": [
            {"number": 2, "frame": _LINE, "text": "while True: pass", "defines": [], "makes": ["x"]}
        ],
    },
)  # fmt: skip


@cache
def exam() -> Exam:
    """Questions to which there are right answers."""
    return exam_of("self_attention")


@cache
def real_answers() -> tuple[bytes, ...]:
    """What an honest worker answers, encoded: each kind of answer, and what is right for each question."""
    right: list[dict[str, object]] = [
        {"kind": "returned", "value": answers.right[0].value, "changed": []}
        for question in exam().questions
        for answers in question.answers
    ]
    return tuple(dict.fromkeys(encode(freeze(answer)) for answer in (*_ANSWERS, *right)))


# One change to the bytes of a frame: which, where (as a part of the whole), and with what.
Change = tuple[str, int, int, bytes]

_PLACES = 2**16
_places = st.integers(0, _PLACES - 1)
_sizes = st.sampled_from(_COUNTS).map(lambda count: struct.pack("<I", count))
_changes = st.tuples(
    st.sampled_from(("flip", "put", "put", "put", "insert", "drop", "cut", "twice", "more", "less", "splice")),
    _places,
    _places,
    st.one_of(_sizes, st.binary(min_size=1, max_size=6), st.sampled_from([bytes([tag]) for tag in _TAGS])),
)  # fmt: skip


def changed(body: bytes, changes: list[Change], other: bytes) -> bytes:
    """A frame's body after these changes; `other` is what it may be spliced with."""
    for kind, where, extent, patch in changes:
        at = where * len(body) // _PLACES
        end = min(len(body), at + extent * 40 // _PLACES + 1)
        match kind:
            case "flip":
                body = (
                    body[:at]
                    + bytes(byte ^ patch[0] for byte in body[at : at + 1])
                    + body[at + 1 :]
                )
            case "put":
                body = body[:at] + patch + body[at + len(patch) :]
            case "insert":
                body = body[:at] + patch + body[at:]
            case "drop":
                body = body[:at] + body[end:]
            case "cut":
                body = body[:at]
            case "twice":
                body = body[:end] + body[at:]
            case "more" | "less":
                size = int.from_bytes(body[at : at + 4], "little") + (1 if kind == "more" else -1)
                body = body[:at] + (size % 2**32).to_bytes(4, "little") + body[at + 4 :]
            case "splice":
                body = body[:at] + other[extent * len(other) // _PLACES :]
    return body  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A real answer with a few changes."""
    body = draw(st.sampled_from(real_answers()))
    other = draw(st.sampled_from(real_answers()))
    return changed(body, draw(st.lists(_changes, max_size=4)), other)


_words = st.one_of(
    st.text(max_size=12),
    st.text(st.sampled_from("\x00\x1b[1m\r\n\t\x7f\x9b\u202e\u2066\u2028\ufeff0xabcdef autograder-"), max_size=40),
    st.sampled_from(("kind", "value", "changed", "names", "failures", "error", "type", "message", "frames")),
    st.sampled_from(("x" * 3_000, "ä" * 3_000, "\x1b" * 3_000, "0x" + "f" * 3_000)),
)  # fmt: skip

_any = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    _words,
    st.binary(max_size=8),
    st.lists(_words, max_size=3),
)


def _mostly(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 15).flatmap(lambda chance: usual if chance else _any)


def _record(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({name: _mostly(value) for name, value in fields.items()})


_shapes = st.lists(st.integers(-(2**63), 2**63 - 1), max_size=4)
_lines = _record(file=_words, line=st.integers(-(2**63), 2**63 - 1), function=_words, text=_words)
_errors = _record(type=_words, message=_words, frames=st.lists(_mostly(_lines), max_size=3))
_forms: tuple[st.SearchStrategy[dict[str, Any]], ...] = (
    _record(
        kind=st.just("returned"),
        value=st.recursive(_any, lambda inner: st.lists(inner, max_size=3), max_leaves=4),
        changed=st.lists(_words, max_size=3),
    ),
    _record(kind=st.just("too_large"), why=_words),
    _record(
        kind=st.just("unsuitable"),
        reason=st.sampled_from(sorted(UNSUITABLE)),
        name=_words,
        seen=_words | _shapes,
        wanted=_shapes,
    ),
    _record(kind=st.sampled_from(("raised", "exited")), error=_errors),
    _record(names=st.lists(_words, max_size=5), failures=st.lists(_errors, max_size=2)),
)
# Well-formed frames with the fields that an answer has, and anything in them.
well_formed = st.one_of(_forms).map(lambda fields: encode(freeze(fields)))

bodies = st.one_of(mutated(), mutated(), well_formed)


def is_clean(text: str) -> bool:
    """Whether a text can be shown."""
    return not UNSHOWABLE.search(text) and len(text) <= LONGEST_TEXT


def decoded(body: bytes) -> str:
    """Decode a frame's body, and read it as both kinds of answers."""
    try:
        value = decode(body)
    except ProtocolError:
        return "no frame"
    assert encode(value) == body
    seen = {_read_as(value, read) for read in (worker_answers.observation, worker_answers.loaded)}
    return "an answer" if True in seen else "no answer"


def _read_as(value: Value, read: Callable[[Value, str], Observation | LoadReport]) -> bool:
    try:
        record = read(value, "")
    except ProtocolError:
        return False
    assert all(map(is_clean, _texts(record)))
    return True


def _texts(record: Observation | LoadReport) -> Iterator[str]:
    errors: tuple[StudentError | None, ...]
    if isinstance(record, LoadReport):
        yield from record.names
        errors = record.failures
    else:
        yield from (record.detail, *record.changed)
        if record.obstacle is not None:
            yield from (record.obstacle.name, str(record.obstacle.seen))
        errors = (record.error,)
    for error in errors:
        if error is not None:
            yield from (error.type, error.message)
            for line in error.frames:
                assert type(line.line) is int
                yield from (line.file, line.function, line.text)


class _Answering(Session):
    """A session in which every question gets the same answer."""

    pieces = ()

    def __init__(self, answer: Value) -> None:
        self._seen = Observation(Outcome.CRASHED, detail="It broke its process.")
        with contextlib.suppress(ProtocolError):
            self._seen = worker_answers.observation(answer, "")
        with contextlib.suppress(ProtocolError):
            self.loaded = worker_answers.loaded(answer, "")
            self._seen = Observation(Outcome.MISSING)

    def observe(self, *_: object) -> Observation:
        return self._seen

    def standing_in(self, *_: object, **__: object) -> _Answering:
        """Answer the same with stand-ins, which nothing calls."""
        return self


def judged(step: int, body: bytes) -> str:
    """Have a step judged by what a frame's body says came back."""
    check = exam().assignment.checks[step]
    try:
        session = _Answering(decode(body))
    except ProtocolError:
        return "no frame"
    explaining = Explaining()
    result = Grader(exam(), session, explaining=explaining).check(check)
    assert explaining.bugs == []
    assert 0 <= result.score <= check.points
    assert result.outcome is not Outcome.UNGRADED
    text = check_markdown(result)
    assert is_clean(text), text[:1_000]
    return str(result.outcome)


@st.composite
def answers_to_a_step(draw: st.DrawFn) -> tuple[int, bytes]:
    """A step's number, and a right answer to one of its questions with a few changes, or anything else."""
    checks = exam().assignment.checks
    step = draw(st.integers(0, len(checks) - 1))
    questions = [one for one in exam().questions if one.step == checks[step].name]
    answers = draw(st.sampled_from([one for question in questions for one in question.answers]))
    right = draw(st.sampled_from(answers.right)).value
    if draw(st.sampled_from((True, False, False))):
        return step, _returned(draw(values.map(encode)))
    changes = draw(st.lists(_changes, max_size=2))
    return step, _returned(changed(encode(right), changes, draw(st.sampled_from(real_answers()))))


def _returned(value: bytes) -> bytes:
    head = encode(freeze({"kind": "returned", "changed": [], "value": None}))
    return head.removesuffix(b"N") + value


# What a child does: to which of its streams, and what with it.
Act = tuple[str, bytes]

GREETING = frame(encode(freeze({"mark": READY, "answer": {"torch": "2"}})))


@dataclass(frozen=True)
class Script:
    """What a child that is none does before it is asked, and whether it ends then.

    Attributes:
        acts: what it does to its streams, in order. In each answer, a mark stands for that of the request.
        ends: whether its streams are closed and its control says how it ended.
    """

    acts: tuple[Act, ...]
    ends: bool


def _enveloped(body: bytes) -> bytes:
    head = encode(freeze({"mark": _MARK, "answer": None}))
    return frame(head.removesuffix(b"N") + body)


_good = st.sampled_from([frame(encode(freeze({"mark": _MARK, "answer": one}))) for one in _ANSWERS])
_envelopes = st.one_of(
    _good,
    bodies.map(_enveloped),
    st.builds(
        lambda whole, changes: changed(whole, changes, whole),
        bodies.map(_enveloped),
        st.lists(_changes, max_size=2),
    ),
    st.builds(
        lambda magic, length: magic + struct.pack("<I", length),
        st.sampled_from((MAGIC, MAGIC, b"AKF2")),
        st.sampled_from(_COUNTS),
    ),
    st.binary(max_size=30),
)
_prints = st.one_of(
    st.binary(max_size=20),
    st.sampled_from((_MARK.encode(), _MARK.encode()[:9], b"x" * 3 * MAX_PRINTED, b"\x1b[2J")),
)
_news = st.one_of(
    st.sampled_from((STARTED, EXIT_CODE.pack(0), EXIT_CODE.pack(-9), EXIT_CODE.pack(-(2**31)), b"x" * 40)),
    st.binary(min_size=1, max_size=6),
)  # fmt: skip
_ACTS: dict[str, st.SearchStrategy[bytes]] = {
    "answers": _envelopes,
    "output": _prints,
    "control": _news,
    "close": st.sampled_from((b"answers", b"output", b"requests", b"control")),
}
_acts = st.sampled_from(("answers",) * 5 + ("output",) * 4 + ("control", "close")).flatmap(
    lambda stream: st.tuples(st.just(stream), _ACTS[stream])
)
_beginnings = st.integers(0, 19).map(
    lambda chance: [("control", STARTED), ("answers", GREETING)][chance == 0 :]
)
scripts = st.builds(
    lambda beginning, acts, chance: Script((*beginning, *acts), ends=chance > 0),
    _beginnings,
    st.lists(_acts, max_size=6),
    st.integers(0, 19),
)


@dataclass
class Child:
    """The other ends of a worker's pipes, in the hands of a test."""

    control: socket.socket
    requests: int
    answers: int
    output: int
    _closed: set[str] = field(default_factory=set)

    def do(self, stream: str, content: bytes) -> None:
        """One act; what does not fit into a pipe is lost."""
        if stream == "close":
            self.close(content.decode())
        elif stream in self._closed:
            return
        elif stream == "control":
            with contextlib.suppress(OSError):  # the worker has let go
                self.control.send(content)
        else:
            with contextlib.suppress(BlockingIOError, BrokenPipeError):
                os.write(getattr(self, stream), content)

    def mark(self) -> bytes:
        """Read a request; its mark."""
        with contextlib.suppress(BlockingIOError):
            return os.read(self.requests, 1 << 16)[-len(_MARK) :]
        return b""

    def close(self, stream: str) -> None:
        if stream in self._closed:
            return
        self._closed.add(stream)
        if stream == "control":
            self.control.close()
        else:
            os.close(getattr(self, stream))


@contextlib.contextmanager
def connected(limits: Limits) -> Iterator[tuple[Worker, Child]]:
    """A worker, and the child's ends of its pipes."""
    requests, answers, output = os.pipe(), os.pipe(), os.pipe()
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    child = Child(theirs, requests[0], answers[1], output[1])
    for descriptor in (requests[0], answers[1], output[1]):
        os.set_blocking(descriptor, False)
    theirs.setblocking(False)
    worker = Worker(ForkedProcess(control, requests[1], answers[0], output[0]), limits)
    try:
        yield worker, child
    finally:
        worker.close()
        for stream in ("control", "requests", "answers", "output"):
            child.close(stream)


QUICK = Limits(cpu=0.004)
_QUESTIONS = (encode("first"), encode("second"))


@contextlib.contextmanager
def impatient() -> Iterator[None]:
    """Wait for hardly anything: a child that is none either has answered or never will."""
    with (
        mock.patch.object(client, "START_LIMIT", 0.03),
        mock.patch.object(client, "LAST_SECONDS", 0.05),
        mock.patch.object(client, "LOOK", 0.004),
        mock.patch.object(client, "_PAUSE", 0.0001),
    ):
        yield


def acted(script: Script) -> str:
    """Ask a child that follows a script two questions; how each of them ended."""
    with impatient(), connected(QUICK) as (worker, child):
        try:
            worker.send([Batch("", _QUESTIONS[:1], _QUESTIONS[0])])
            mark = child.mark()
            for stream, content in script.acts:
                child.do(stream, content.replace(_MARK.encode(), mark or b"x"))
            if script.ends:
                for stream in ("answers", "output"):
                    child.close(stream)
                child.do("control", EXIT_CODE.pack(3))
            return " and ".join(_asked(worker, question) for question in _QUESTIONS)
        finally:
            assert len(worker._received) <= MAX_FRAME + HEADER_SIZE
            assert len(worker._output._kept) <= MAX_PRINTED + 1


def _asked(worker: Worker, question: bytes) -> str:
    try:
        answer, printed = worker.ask(question)
        how = "answered"
        encode(answer)
    except Stopped as stop:
        printed = stop.printed
        how = f"stopped: {stop.limit or ('lost' if stop.lost else 'ended')}"
    except GraderFault:
        return "never ready"
    assert len(printed) <= MAX_PRINTED + len("...")
    return how
