"""Read a worker's answers, and check them field by field.

An answer comes from a process that runs a student's code. Any other than the expected form raises ProtocolError; texts
are shortened and cleaned of control characters.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar

from autograder.errors import ProtocolError
from autograder.reasons import MAX_LENGTH, UNSUITABLE, Reason
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
from autograder.values.values import DictValue, ListValue, Value, freeze, identical
from autograder.values.wire import LATER, MARK_LENGTH, MAX_TEXT, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_NAMES = 1_000
MOST_OF_A_NAME = 60  # characters of an exception's type

# Longer answers, in bytes, are not cached.
MOST_KEPT = 8_192

T = TypeVar("T")

# The fields of an answer to `observe` besides its kind.
_CONTENT: dict[str, set[str]] = {
    "returned": {"value", "changed"},
    "missing": set(),
    "too_large": {"why"},
    "unsuitable": {"reason", "name", "seen", "wanted"},
    "exited": {"error"},
    "raised": {"error"},
    "no_checks": {"error"},
}


_ANY_MARK = "?" * MARK_LENGTH
_BEFORE_ANSWER = encode(freeze({"mark": _ANY_MARK, "answer": None})).removesuffix(encode(None))


def marked(body: bytes, mark: str) -> Value:
    """Return the answer in the body of a frame. Raises ProtocolError if it is no answer with this mark."""
    before = _BEFORE_ANSWER.replace(_ANY_MARK.encode(), mark.encode())
    if not body.startswith(before):
        raise ProtocolError("an answer has another mark than its request")
    answer = body[len(before) :]
    return _decoded(answer) if len(answer) <= MOST_KEPT else decode(answer)


_LATER = freeze(LATER)


def is_later(answer: Value) -> bool:
    """Return whether the worker put a request off that was sent ahead."""
    return identical(answer, _LATER)


@functools.lru_cache(maxsize=500)  # many submissions give the same answers
def _decoded(answer: bytes) -> Value:
    return decode(answer)


def loaded(answer: Value, printed: str) -> LoadReport:
    """Return the report in the answer to a `load` request. Raises ProtocolError for any other form."""
    fields = _fields(answer, {"names", "failures", "unfit", "replaced", "skipped"})
    return LoadReport(
        names=_items(fields["names"], _name),
        failures=_items(fields["failures"], _failure),
        printed=printed,
        unfit=_items(fields["unfit"], _rebinding),
        replaced=_items(fields["replaced"], _rebinding),
        skipped=_items(fields["skipped"], _skipped),
    )


def why_not_loaded(answer: Value) -> str:
    """Return why the answer to a `load` request is no report, in words."""
    try:
        error = observation(answer, "").error
    except ProtocolError as broken:
        return f"Loading your file broke its process: {broken}."
    words = f" ({error.type})" if error else ""
    if _kind(answer) == "no_checks":
        return f"The checks of the release cannot be loaded{words}. Get the release again."
    return (
        f"Your file changes Python or a library so that its steps cannot be checked{words}. "
        "Remove the lines that replace modules or their functions."
    )


def observation(answer: Value, printed: str) -> Observation:
    """Return the observation in the answer to an `observe` request. Raises ProtocolError for any other form."""
    kind = _kind(answer)
    fields = _fields(answer, {"kind"} | _CONTENT[kind])
    match kind:
        case "returned":
            changed = _items(fields["changed"], _name)
            return Observation(
                Outcome.PASSED, value=fields["value"], changed=changed, printed=printed
            )
        case "missing":
            return Observation(Outcome.MISSING, printed=printed)
        case "too_large":
            large = Obstacle(Reason.ANSWER_TOO_LARGE, seen=_text(fields["why"]))
            return Observation(Outcome.TOO_LARGE, obstacle=large, printed=printed)
        case "unsuitable":
            return Observation(Outcome.WRONG, obstacle=_obstacle(fields), printed=printed)
        case "exited":
            return Observation(Outcome.EXITED, error=_error(fields["error"]), printed=printed)
    return Observation(Outcome.RAISED, error=_error(fields["error"]), printed=printed)


def _kind(answer: Value) -> str:
    entries = answer.items if isinstance(answer, DictValue) else ()
    for key, kind in entries:
        if key == "kind" and isinstance(kind, str) and kind in _CONTENT:
            return kind
    raise ProtocolError("an answer is of an unknown kind")


def _fields(answer: Value, names: set[str]) -> dict[str, Value]:
    if not isinstance(answer, DictValue):
        raise ProtocolError("an answer has no fields")
    fields: dict[str, Value] = {}
    for key, value in answer.items:
        if not isinstance(key, str) or key not in names or key in fields:
            raise ProtocolError("an answer has an unknown field")
        fields[key] = value
    if names != fields.keys():
        raise ProtocolError("an answer lacks a field")
    return fields


def _items(value: Value, read: Callable[[Any], T]) -> tuple[T, ...]:
    if not isinstance(value, ListValue) or len(value.items) > MAX_NAMES:
        raise ProtocolError("an answer has no list where one belongs")
    return tuple(read(item) for item in value.items)


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise ProtocolError("an answer has no text where one belongs")
    return clean_text(value)


def _source(value: Value) -> str:
    """A statement as it was written: it is never shown, and the next worker finds it again."""
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise ProtocolError("an answer has no statement where one belongs")
    return value


def _obstacle(fields: dict[str, Value]) -> Obstacle:
    reason, observed = fields["reason"], fields["seen"]
    if reason not in UNSUITABLE:
        raise ProtocolError("an answer gives an unknown reason")
    return Obstacle(
        Reason(str(reason)),
        _name(fields["name"]),
        _name(observed) if isinstance(observed, str) else _sizes(observed),
        _sizes(fields["wanted"]),
    )


def _name(value: Value) -> str:
    """A short text in one line."""
    return one_line(_text(value), MAX_LENGTH)


def _sizes(value: Value) -> tuple[int, ...]:
    sizes = _items(value, _number)
    if len(sizes) > MAX_LENGTH:
        raise ProtocolError("an answer has a shape of too many sizes")
    return sizes


def _number(value: Value) -> int:
    if type(value) is not int:
        raise ProtocolError("an answer has no number where one belongs")
    return value


def _error(value: Value) -> StudentError:
    fields = _fields(value, {"type", "message", "frames", "existing"})
    return StudentError(
        one_line(without_numbers(_text(fields["type"])), MOST_OF_A_NAME),
        _text(fields["message"]),
        _items(fields["frames"], _frame),
        _items(fields["existing"], _name),
    )


def _failure(value: Value) -> LoadFailure:
    fields = _fields(value, {"type", "message", "frames", "existing", "defines"})
    defines = _items(fields.pop("defines"), _text)
    error = _error(DictValue(tuple(fields.items())))
    if not error.frames:
        raise ProtocolError("a failed line has no place")
    return LoadFailure(error.type, error.message, error.frames, error.existing, defines)


def _skipped(value: Value) -> Skipped:
    fields = _fields(value, {"number", "frame", "text", "defines", "makes"})
    return Skipped(
        _number(fields["number"]),
        _frame(fields["frame"]),
        _source(fields["text"]),
        _items(fields["defines"], _name),
        _items(fields["makes"], _name),
    )


def _rebinding(value: Value) -> Rebinding:
    fields = _fields(value, {"name", "type", "frame"})
    return Rebinding(_name(fields["name"]), _name(fields["type"]), _frame(fields["frame"]))


def _frame(value: Value) -> Frame:
    fields = _fields(value, {"file", "line", "function", "text"})
    return Frame(
        one_line(_text(fields["file"])),
        _number(fields["line"]),
        one_line(_text(fields["function"])),
        _line(fields["text"]),
    )


def _line(value: Value) -> str:
    """A line of source: its first line, if the student's code says that it has several."""
    return next(iter(_text(value).splitlines()), "")
