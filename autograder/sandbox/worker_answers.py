"""Read a worker's answers, and check them field by field.

An answer comes from a process that runs a student's code. Any other than the expected form raises ProtocolError; texts
are shortened and cleaned of control characters.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from autograder.errors import ProtocolError
from autograder.near_names import is_dotted
from autograder.reasons import MAX_LENGTH, UNSUITABLE, Reason
from autograder.records import Forms, Reader, RecordError
from autograder.results import (
    Frame,
    LoadFailure,
    LoadReport,
    Observation,
    Obstacle,
    Outcome,
    Rebinding,
    Skipped,
    StudentError,
)
from autograder.text import clean_text, one_line, without_numbers
from autograder.values.values import DictValue, Value
from autograder.values.wire import MARK_LENGTH, MAX_TEXT, decode

MAX_NAMES = 1_000
MOST_OF_A_NAME = 60  # characters of an exception's type

# Longer answers, in bytes, are not cached.
MOST_KEPT = 8_192

T = TypeVar("T")


@dataclass(frozen=True)
class _Returned:
    value: Any  # plain data, as all that is decoded
    changed: tuple[str, ...]


@dataclass(frozen=True)
class _Traced:
    answer: Any
    records: Any


@dataclass(frozen=True)
class _Nothing:
    pass


@dataclass(frozen=True)
class _TooLarge:
    why: str


@dataclass(frozen=True)
class _Ended:
    error: StudentError


# The fields of an answer to `observe` besides its kind.
_CONTENT: dict[str, type] = {
    "returned": _Returned,
    "traced": _Traced,
    "missing": _Nothing,
    "too_large": _TooLarge,
    "unsuitable": Obstacle,
    "exited": _Ended,
    "raised": _Ended,
    "no_checks": _Ended,
}


def _short(text: str) -> str:
    return one_line(clean_text(text))


def _name(text: str) -> str:
    """A short text in one line."""
    return one_line(clean_text(text), MAX_LENGTH)


def _type(text: str) -> str:
    return one_line(without_numbers(clean_text(text)), MOST_OF_A_NAME)


def _source(text: str) -> str:
    """A statement as it was written: it is never shown, and the next worker finds it again."""
    if len(text) > MAX_TEXT:
        raise RecordError("too long for a statement")
    return text


def _dotted(text: str) -> str:
    """A name, or a path of names."""
    if not is_dotted(text):
        raise RecordError("no name")
    return text


_ERROR = {
    "type": _type,
    "message": clean_text,
    "frames": None,
    "existing": _dotted,
    "place": None,
}

# All that a worker may say of a record, and what makes its texts fit to be shown.
_FORMS: Forms = {
    _Returned: {"value": None, "changed": _name},
    _Traced: {"answer": None, "records": None},
    _TooLarge: {"why": clean_text},
    _Ended: {"error": None},
    Obstacle: {"reason": None, "name": _name, "seen": _name, "wanted": None},
    StudentError: _ERROR,
    LoadFailure: {**_ERROR, "defines": clean_text},
    Frame: {"file": _short, "line": None, "function": _short},
    Rebinding: {"name": _name, "type": _name, "frame": None},
    Skipped: {"number": None, "frame": None, "text": _source, "defines": _name, "makes": _name},
    LoadReport: {
        "names": _name,
        "failures": None,
        "unfit": None,
        "replaced": None,
        "devices": None,
        "skipped": None,
    },
}
_READER = Reader(_FORMS, most=MAX_NAMES)


def _read(kind: type[T], answer: Value) -> T:
    try:
        return _READER.read(kind, answer)
    except RecordError as error:
        raise ProtocolError(f"an answer has another form ({error})") from None


def marked(body: bytes, mark: str) -> Value:
    """Return the answer in the body of a frame. Raises ProtocolError if it is no answer with this mark."""
    if not body.startswith(mark.encode()):
        raise ProtocolError("an answer has another mark than its request")
    answer = body[MARK_LENGTH:]
    return _decoded(answer) if len(answer) <= MOST_KEPT else decode(answer)


def is_put_off(answer: Value) -> bool:
    """Return whether the worker put a request off that was sent ahead."""
    return isinstance(answer, DictValue) and not answer.items


@functools.lru_cache(maxsize=500)  # many submissions give the same answers
def _decoded(answer: bytes) -> Value:
    return decode(answer)


def loaded(answer: Value, printed: str) -> LoadReport:
    """Return the report in the answer to a `load` request. Raises ProtocolError for any other form."""
    report = _read(LoadReport, answer)
    if not all(failure.frames for failure in report.failures):
        raise ProtocolError("a failed line has no place")
    return replace(report, printed=printed)


def why_not_loaded(answer: Value) -> str:
    """Return why the answer to a `load` request is no report, in words."""
    try:
        error = observation(answer, "").error
    except ProtocolError as broken:
        return f"Loading your file broke its process: {broken}."
    words = f" ({error.type})" if error else ""
    if _kind(answer)[0] == "no_checks":
        return f"The checks of the release cannot be loaded{words}. Get the release again."
    return (
        f"Your file changes Python or a library so that its steps cannot be checked{words}. "
        "Remove the lines that replace modules or their functions."
    )


def observation(answer: Value, printed: str) -> Observation:
    """Return the observation in the answer to an `observe` request. Raises ProtocolError for any other form."""
    kind, fields = _kind(answer)
    match _read(_CONTENT[kind], fields):
        case _Returned(value, changed):
            return Observation(Outcome.PASSED, value=value, changed=changed, printed=printed)
        case _Traced(answer, records):
            seen = observation(answer, printed)
            if seen.records is not None:
                raise ProtocolError("a trace has a trace")
            return replace(seen, records=records)
        case _TooLarge(why):
            large = Obstacle(Reason.ANSWER_TOO_LARGE, seen=why)
            return Observation(Outcome.TOO_LARGE, obstacle=large, printed=printed)
        case Obstacle() as obstacle:
            shapes = [one for one in (obstacle.seen, obstacle.wanted) if isinstance(one, tuple)]
            if obstacle.reason not in UNSUITABLE or max(map(len, shapes)) > MAX_LENGTH:
                raise ProtocolError(
                    "an answer gives an unknown reason, or a shape of too many sizes"
                )
            return Observation(Outcome.WRONG, obstacle=obstacle, printed=printed)
        case _Ended(error):
            outcome = Outcome.EXITED if kind == "exited" else Outcome.RAISED
            return Observation(outcome, error=error, printed=printed)
    return Observation(Outcome.MISSING, printed=printed)


def _kind(answer: Value) -> tuple[str, Value]:
    """Return the kind of an answer, and its other fields."""
    entries = answer.items if isinstance(answer, DictValue) else ()
    kinds = [kind for key, kind in entries if key == "kind"]
    if len(kinds) != 1 or not isinstance(kinds[0], str) or kinds[0] not in _CONTENT:
        raise ProtocolError("an answer is of an unknown kind")
    return kinds[0], DictValue(tuple(entry for entry in entries if entry[0] != "kind"))
