"""What right numbers are for: the names that they are bound to, and their order in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from autograder.exam.right_values import arrays_of
from autograder.explain.right_numbers import close
from autograder.values.values import ListValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autograder.exam.questions import RightValues
    from autograder.exam.right_values import Numbers
    from autograder.values.values import Value


def alike(name: str, other: str) -> bool:
    """Return whether two names stand for one thing: `q`, `query` and `queries`."""
    shorter, longer = sorted((_stem(name), _stem(other)), key=len)
    return bool(shorter) and longer.startswith(shorter)


def _stem(name: str) -> str:
    stem = name.lower().rstrip("_0123456789")
    return f"{stem[:-3]}y" if stem.endswith("ies") else stem.removesuffix("s")


def holds_another(
    right: RightValues, name: str, numbers: Numbers, others: Sequence[str]
) -> str | None:
    """Return which other variable should have the numbers of a variable; None if none should, or this one may.

    Args:
        others: the other variables of the function.
    """
    if any(_same(numbers, one) for one in _of_name(right, name)) or not [*_of_name(right, name)]:
        return None
    for other in others:
        if not alike(other, name) and any(_same(numbers, one) for one in _of_name(right, other)):
            return other
    return None


def _of_name(right: RightValues, name: str) -> Iterator[Numbers]:
    return (right.arrays[number] for one, number in right.names if alike(one, name))


def _same(first: Numbers, second: Numbers) -> bool:
    """Return whether two arrays have the same numbers, whatever their axes."""
    return first.size == second.size and close(np.sort(first, None), np.sort(second, None))


def order_of(right: RightValues, value: Value) -> Literal["same", "other", ""]:
    """Return in which order a list has the entries that right ones have; empty if it is no such list."""
    found = arrays_of(value) if isinstance(value, ListValue) else []
    if len(found) < 2 or len({one.shape for one in found}) > 1:  # noqa: PLR2004 - one has no order
        return ""
    known = False
    for entries in _entries(right, len(found), found[0].shape):
        places = [
            next((n for n, two in enumerate(entries) if close(one, two)), -1) for one in found
        ]
        if places == [*range(len(found))]:
            return "same"
        known = known or (sorted(places) == [*range(len(entries))])
    return "other" if known else ""


def _entries(right: RightValues, least: int, shape: tuple[int, ...]) -> Iterator[Sequence[Numbers]]:
    """Yield the lists of the right computation, and its arrays taken apart along each axis, with such entries."""
    for first, last in right.lists:
        if last - first + 1 == least and right.arrays[first].shape == shape:
            yield right.arrays[first : last + 1]
    for one in right.arrays:
        for axis, size in enumerate(one.shape):
            if size >= least and one.shape[:axis] + one.shape[axis + 1 :] == shape:
                yield [*np.moveaxis(one, axis, 0)]
