"""Frames as a hostile worker may send them, and what the grader has to make of each.

What is drawn are right answers with a few bytes changed, and answers with anything in their fields. Each is decoded and
read as an answer. A child that is none follows a script.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import struct
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from autograder.errors import ProtocolError
from autograder.exam.questions import Ahead
from autograder.sandbox import worker_answers
from autograder.sandbox.client import Worker
from autograder.sandbox.forked import ForkedProcess
from autograder.values.values import MAX_ITEMS, freeze
from autograder.values.wire import (
    MARK_LENGTH,
    MAX_FRAME,
    READY,
    STARTED,
    decode,
    encode,
    frame,
)
from tests.exams import exam_of
from tests.sandbox.test_worker_answers import ANSWERS, LOADED, answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from autograder.results import LoadReport, Observation
    from autograder.sandbox.limits import Limits
    from autograder.values.values import Value


UNSHOWABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
LONGEST_TEXT = 20_000

_TAGS = b"NTFIDSBOALM"
_COUNTS = (0, 1, 2, 3, 255, 256, 65_535, MAX_ITEMS, MAX_ITEMS + 1, MAX_FRAME, 2**31, 2**32 - 1)
_ANSWERS: tuple[dict[str, object], ...] = (
    *map(answer, ANSWERS),
    {"kind": "returned", "value": [1, 2.5, "three", None, True, b"six"], "changed": ["x", "queries"]},
    {"kind": "returned", "value": {"q": 1.0, "k": {"deep": [[[]]]}}, "changed": []},
    {"kind": "unsuitable", "reason": "no_bias", "name": "\x1b[1mbold", "seen": "", "wanted": [3]},
    LOADED,
)  # fmt: skip


@cache
def real_answers() -> tuple[bytes, ...]:
    """What an honest worker answers, encoded: each kind of answer, and what is right for each question."""
    right: list[dict[str, object]] = [
        {"kind": "returned", "value": answers.right[0].value, "changed": []}
        for question in exam_of("self_attention").questions
        for answers in question.answers
    ]
    return tuple(dict.fromkeys(encode(freeze(one)) for one in (*_ANSWERS, *right)))


# One change to the bytes of a frame: which, where (as a part of the whole), and with what.
Change = tuple[str, int, int, bytes]

_PLACES = 2**16
_places = st.integers(0, _PLACES - 1)
_sizes = st.sampled_from(_COUNTS).map(lambda count: struct.pack("<I", count))
_tags = st.sampled_from([bytes([tag]) for tag in _TAGS])
_changes = st.tuples(
    st.sampled_from(("put", "put", "put", "insert", "drop", "twice", "more", "less", "splice")),
    _places,
    _places,
    st.one_of(_sizes, st.binary(min_size=1, max_size=6), _tags),
)


def changed(body: bytes, changes: list[Change], other: bytes) -> bytes:
    """A frame's body after these changes; `other` is what it may be spliced with."""
    for kind, where, extent, patch in changes:
        at = where * len(body) // _PLACES
        end = min(len(body), at + extent * 40 // _PLACES + 1)
        size = int.from_bytes(body[at : at + 4], "little") + (1 if kind == "more" else -1)
        counted = (size % 2**32).to_bytes(4, "little")
        middle, after = {
            "put": (patch, body[at + len(patch) :]),
            "insert": (patch, body[at:]),
            "drop": (b"", body[end:]),
            "twice": (body[at:end], body[at:]),
            "more": (counted, body[at + 4 :]),
            "less": (counted, body[at + 4 :]),
            "splice": (other[extent * len(other) // _PLACES :], b""),
        }[kind]
        body = body[:at] + middle + after
    return body


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    body = draw(st.sampled_from(real_answers()))
    other = draw(st.sampled_from(real_answers()))
    return changed(body, draw(st.lists(_changes, max_size=4)), other)


def is_clean(text: str) -> bool:
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


def _texts(record: object) -> Iterator[str]:
    """Yield all texts of a record but those of a value, which is the student's own."""
    if isinstance(record, str):
        yield record
    for part in record if isinstance(record, tuple) else ():
        yield from _texts(part)
    for one in fields(record) if is_dataclass(record) else ():
        if one.name != "value":
            yield from _texts(getattr(record, one.name))


# What a child does: to which of its streams, and what with it.
Act = tuple[str, bytes]

GREETING = frame(READY.encode() + encode(freeze({"torch": "2"})))
QUESTION = encode("question")


class Child:
    """The other ends of a worker's pipes, in the hands of a test."""

    def __init__(self, control: socket.socket, **streams: int) -> None:
        self._control = control
        self._streams = streams
        control.setblocking(False)
        for descriptor in streams.values():
            os.set_blocking(descriptor, False)

    def do(self, stream: str, content: bytes) -> None:
        """One act; it may be that the worker has let go."""
        if stream == "close":
            self.close(content.decode())
        elif stream == "control":
            with contextlib.suppress(OSError):
                self._control.send(content)
        elif stream in self._streams:
            with contextlib.suppress(BrokenPipeError):
                os.write(self._streams[stream], content)

    def answer(self, content: str) -> None:
        mark = os.read(self._streams["requests"], 1 << 16)[-MARK_LENGTH:].decode()
        self.do("control", STARTED)
        self.do("answers", GREETING + frame(mark.encode() + encode(freeze(content))))

    def close(self, stream: str) -> None:
        if stream == "control":
            self._control.close()
        elif stream in self._streams:
            os.close(self._streams.pop(stream))


@contextlib.contextmanager
def connected(limits: Limits) -> Iterator[tuple[Worker, Child]]:
    """A worker that was asked a question, and the child's ends of its pipes."""
    requests, answers, output = os.pipe(), os.pipe(), os.pipe()
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    child = Child(theirs, requests=requests[0], answers=answers[1], output=output[1])
    worker = Worker(ForkedProcess(control, requests[1], answers[0], output[0]), limits)
    worker.send([Ahead("", QUESTION, QUESTION)])
    try:
        yield worker, child
    finally:
        worker.close()
        for stream in ("control", "requests", "answers", "output"):
            child.close(stream)
