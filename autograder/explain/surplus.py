"""An answer that holds more than was asked for: which of its parts was meant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autograder.compare import agrees
from autograder.values.numbers import as_array
from autograder.values.values import DictValue, ListValue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.explain.recognise import Recognition
    from autograder.values.values import Value

    Key = int | str

MOST_PARTS = 6


@dataclass(frozen=True)
class WrongPart:
    """A part that was meant and is wrong itself.

    Attributes:
        key: its number, from 0, or its key.
        found: the known mistakes that it shows.
    """

    key: Key
    found: Recognition


def keys_of(seen: Value, wanted: Value) -> tuple[Key, ...]:
    """Return the keys of the parts that may be meant; none if the answer holds no more than was asked for."""
    if isinstance(wanted, ListValue):
        if not isinstance(seen, ListValue) or len(seen.items) != len(wanted.items):
            return ()
        pairs = zip(seen.items, wanted.items, strict=True)
        return next((keys for pair in pairs if (keys := keys_of(*pair))), ())
    if as_array(wanted) is None:
        return ()
    if isinstance(seen, ListValue):
        return tuple(range(min(len(seen.items), MOST_PARTS)))
    if isinstance(seen, DictValue):
        return tuple(key for key, _ in seen.items[:MOST_PARTS] if isinstance(key, str))
    return ()


def only(key: Key, seen: Value, wanted: Value) -> Value:
    """Return an answer with this part alone, wherever more came back; None if a part is not there."""
    if isinstance(wanted, ListValue):
        if not isinstance(seen, ListValue) or len(seen.items) != len(wanted.items):
            return None
        pairs = zip(seen.items, wanted.items, strict=True)
        return replace(seen, items=tuple(only(key, *pair) for pair in pairs))
    if isinstance(seen, ListValue) and isinstance(key, int):
        return seen.items[key] if key < len(seen.items) else None
    if isinstance(seen, DictValue):
        return next((part for name, part in seen.items if name == key), None)
    return seen


def right_key(pairs: Iterable[tuple[Value, Value]]) -> Key | None:
    """Return the key of the part that is right in every answer; None if there is none.

    Args:
        pairs: answers, each with the right one. The first one holds more than was asked for.
    """
    answers = list(pairs)
    for key in keys_of(*answers[0]):
        if all(agrees(wanted, only(key, seen, wanted)) for seen, wanted in answers):
            return key
    return None


def part_words(key: Key) -> str:
    """Name a part of what came back."""
    return (
        f"Number {key + 1} of what came back"
        if isinstance(key, int)
        else f"What stands under {key!r:.40}"
    )


def wrong_words(key: Key) -> str:
    """Say that a part was meant and is wrong itself."""
    part = f"number {key + 1} of it" if isinstance(key, int) else f"what stands under {key!r:.40}"
    return f"More than one thing came back; only {part} was asked for. And that is not right yet:"
