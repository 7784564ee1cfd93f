"""The size of a value, measured without a copy or conversion."""

from __future__ import annotations

from operator import le
from typing import TYPE_CHECKING, NamedTuple

from autograder.values.values import Array, parts_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.values.values import Value


class Extent(NamedTuple):
    """The size of a value in each respect.

    Attributes:
        parts: the values in it, at all levels: items, keys and entries.
        numbers: the numbers in its arrays, and its plain numbers.
        dimension: the largest dimension of its arrays. An array without numbers can have a large one.
        characters: the characters and bytes of its texts.
    """

    parts: int = 0
    numbers: int = 0
    dimension: int = 0
    characters: int = 0

    def within(self, limit: Extent) -> bool:
        """Return whether this extent is at most `limit` in each respect."""
        return all(map(le, self, limit))


def extent(value: Value) -> Extent:
    """Return the extent of a value. It takes time in proportion to the parts only."""
    parts = numbers = dimension = characters = 0
    for part in parts_in(value):
        parts += 1
        if isinstance(part, Array):
            numbers += part.data.size
            dimension = max(dimension, part.data.ndim, *part.data.shape, 0)
        elif isinstance(part, str | bytes):
            characters += len(part)
        elif isinstance(part, bool | int | float):
            numbers += 1
    return Extent(parts, numbers, dimension, characters)


# An answer may have _TIMES the size of the largest known answer to its question, plus _MORE.
_TIMES = 16
_MORE = Extent(parts=100, numbers=10_000, dimension=1_000, characters=10_000)


def limit_beside(known: Iterable[Value]) -> Extent:
    """Return how large an answer may be, beside the known answers to the same question."""
    largest = map(max, zip(Extent(), *map(extent, known), strict=True))
    return Extent(*(_TIMES * size + more for size, more in zip(largest, _MORE, strict=True)))
