"""What a worker answers, checked field by field.

An answer comes from a process that runs a student's code. What does not have exactly the expected form is a
ProtocolError; texts are cut and freed of control characters before anybody sees them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from autograder.errors import ProtocolError
from autograder.reasons import MAX_LENGTH, UNSUITABLE, Reason
from autograder.results import Frame, Loaded, Observation, Obstacle, Outcome, StudentError
from autograder.text import clean_text
from autograder.values.values import Mapping, Sequence, Value

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_NAMES = 1_000

T = TypeVar("T")

# What an answer to `observe` holds besides its kind.
_CONTENT: dict[str, set[str]] = {
    "returned": {"value", "changed"},
    "missing": set(),
    "too_large": {"why"},
    "unsuitable": {"reason", "name", "seen", "wanted"},
    "exited": {"error"},
    "raised": {"error"},
}


def loaded(answer: Value, printed: str) -> Loaded:
    """The answer to a `load` request."""
    fields = _fields(answer, {"names", "failures"})
    return Loaded(
        names=_items(fields["names"], _text),
        failures=_items(fields["failures"], _error),
        printed=printed,
    )


def observation(answer: Value, printed: str) -> Observation:
    """The answer to an `observe` request."""
    kind = _kind(answer)
    fields = _fields(answer, {"kind"} | _CONTENT[kind])
    match kind:
        case "returned":
            changed = _items(fields["changed"], _text)
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
    entries = answer.items if isinstance(answer, Mapping) else ()
    for key, kind in entries:
        if key == "kind" and isinstance(kind, str) and kind in _CONTENT:
            return kind
    raise ProtocolError("an answer is of an unknown kind")


def _fields(answer: Value, names: set[str]) -> dict[str, Value]:
    if not isinstance(answer, Mapping):
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
    if not isinstance(value, Sequence) or len(value.items) > MAX_NAMES:
        raise ProtocolError("an answer has no list where one belongs")
    return tuple(read(item) for item in value.items)


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise ProtocolError("an answer has no text where one belongs")
    return clean_text(value)


def _obstacle(fields: dict[str, Value]) -> Obstacle:
    reason, seen = fields["reason"], fields["seen"]
    if reason not in UNSUITABLE:
        raise ProtocolError("an answer gives an unknown reason")
    return Obstacle(
        Reason(str(reason)),
        _name(fields["name"]),
        _name(seen) if isinstance(seen, str) else _sizes(seen),
        _sizes(fields["wanted"]),
    )


def _name(value: Value) -> str:
    """A short text in one line."""
    return " ".join(clean_text(_text(value), MAX_LENGTH).split())


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
    fields = _fields(value, {"type", "message", "frames"})
    return StudentError(
        _text(fields["type"]), _text(fields["message"]), _items(fields["frames"], _frame)
    )


def _frame(value: Value) -> Frame:
    fields = _fields(value, {"file", "line", "function", "text"})
    return Frame(
        _text(fields["file"]),
        _number(fields["line"]),
        _text(fields["function"]),
        _text(fields["text"]),
    )
