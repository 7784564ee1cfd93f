"""What rules about wrong answers read: the answer beside the right one, and the step's source."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.compare import agrees
from autograder.explain.recognise import NO_EDITS, RecognisedEdits
from autograder.values.numbers import as_array
from autograder.values.values import DictValue, ListValue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.explain.student_code import Definition
    from autograder.values.values import Value

    Key = int | str

MOST_PARTS = 6


@dataclass(frozen=True)
class Evidence:
    """A wrong answer beside the right one, and the step's source.

    Attributes:
        seen: the student's answer.
        wanted: the right answer. It is described, never shown.
        inputs: what the step was called with.
        definition: the student's function or class; None if it could not be read.
        released: the release's source of the step.
        documents: the right answers for the documents' inputs.
        changed: the inputs that the call changed in place.
        edits: the small edits of the reference that give this answer, if no known mistake does.
    """

    seen: Value
    wanted: Value
    inputs: Mapping[str, Value] = field(default_factory=dict)
    definition: Definition | None = None
    released: str = ""
    documents: tuple[Value, ...] = ()
    changed: tuple[str, ...] = ()
    edits: RecognisedEdits = NO_EDITS


# An answer that holds more than was asked for.


def right_key(seen: Value, wanted: Value) -> Key | None:
    """Return the key of the part that is right by itself; None if there is none."""
    return next(
        (key for key in _keys_of(seen, wanted) if agrees(wanted, _only(key, seen, wanted))), None
    )


def _keys_of(seen: Value, wanted: Value) -> tuple[Key, ...]:
    """Return the keys of the parts that may be meant; none if the answer holds no more than was asked for."""
    if isinstance(wanted, ListValue):
        if not isinstance(seen, ListValue) or len(seen.items) != len(wanted.items):
            return ()
        pairs = zip(seen.items, wanted.items, strict=True)
        return next((keys for pair in pairs if (keys := _keys_of(*pair))), ())
    if as_array(wanted) is None:
        return ()
    if isinstance(seen, ListValue):
        return tuple(range(min(len(seen.items), MOST_PARTS)))
    if isinstance(seen, DictValue):
        return tuple(key for key, _ in seen.items[:MOST_PARTS] if isinstance(key, str))
    return ()


def _only(key: Key, seen: Value, wanted: Value) -> Value:
    """Return an answer with this part alone, wherever more came back; None if a part is not there."""
    if isinstance(wanted, ListValue):
        if not isinstance(seen, ListValue) or len(seen.items) != len(wanted.items):
            return None
        pairs = zip(seen.items, wanted.items, strict=True)
        return replace(seen, items=tuple(_only(key, *pair) for pair in pairs))
    if isinstance(seen, ListValue) and isinstance(key, int):
        return seen.items[key] if key < len(seen.items) else None
    if isinstance(seen, DictValue):
        return next((part for name, part in seen.items if name == key), None)
    return seen


def part_words(key: Key, whole: str) -> str:
    """Name a part of a whole."""
    return (
        f"number {key + 1} of {whole}" if isinstance(key, int) else f"what stands under {key!r:.40}"
    )
