"""Arrays of more than two dimensions, such as those of a batch, as matrices: the first wrong one, and its name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from autograder.compare import Right, compare
from autograder.values.values import Array

if TYPE_CHECKING:
    from autograder.compare import Difference

Index = tuple[int, ...]

AXES_OF_ONE = 2


def first_wrong(
    difference: Difference, decimals: int | None = None, slack: float = 1.0
) -> tuple[Index, Difference] | None:
    """Return the first matrix of a batch that has a wrong number: its index, and what is wrong in it.

    None where the array has no more than two dimensions, or another shape than the right one.

    Args:
        difference: where and how an answer is wrong.
        decimals: the printed decimals of the right numbers; None for full precision.
        slack: factor on the tolerance, as in the comparison that found the difference.
    """
    seen, wanted = difference.seen, difference.wanted
    if not isinstance(seen, Array) or not isinstance(wanted, Array):
        return None
    if seen.data.shape != wanted.data.shape or seen.data.ndim <= AXES_OF_ONE:
        return None
    for index in np.ndindex(seen.data.shape[:-AXES_OF_ONE]):
        right, given = (replace(one, data=one.data[index]) for one in (wanted, seen))
        one = compare(Right(right, decimals), given, slack).difference
        if one is not None:
            return index, one
    return None


def place_words(axes: tuple[str, ...], index: Index) -> str:
    """Return where in an array a matrix is, such as "sequence 1, head 2"; "part [0, 1]" if the axes have no names."""
    if not axes:
        return f"part {[*index]}" if index else ""
    named = zip(axes, index, strict=False)
    return ", ".join(f"{singular(name)} {number + 1}" for name, number in named)


def singular(name: str) -> str:
    """Return the name of one: of "queries" it is "query"."""
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")
