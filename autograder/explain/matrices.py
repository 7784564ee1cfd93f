"""Arrays of more than two dimensions, such as those of a batch, as matrices: which are wrong, and their names."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from autograder.compare import Right, compare
from autograder.values.values import Array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.compare import Difference

Index = tuple[int, ...]

# Of a batch so many matrices are shown, with so many rows in all, but at least one matrix.
MOST_MATRICES = 3
MOST_ROWS = 12
AXES_OF_ONE = 2


def wrong_matrices(
    difference: Difference, decimals: int | None = None, slack: float = 1.0
) -> dict[Index, Difference]:
    """Return the matrices of an array that have a wrong number, and what is wrong in each.

    Empty where the array has no more than two dimensions, or another shape than the right one.

    Args:
        difference: where and how an answer is wrong.
        decimals: the printed decimals of the right numbers; None for full precision.
        slack: factor on the tolerance, as in the comparison that found the difference.
    """
    seen, wanted = difference.seen, difference.wanted
    if not isinstance(seen, Array) or not isinstance(wanted, Array):
        return {}
    if seen.data.shape != wanted.data.shape or seen.data.ndim <= AXES_OF_ONE:
        return {}
    found = {}
    for index in np.ndindex(seen.data.shape[:-AXES_OF_ONE]):
        right, given = (replace(one, data=one.data[index]) for one in (wanted, seen))
        one = compare(Right(right, decimals), given, slack).difference
        if one is not None:
            found[index] = one
    return found


def shown_matrices(shape: tuple[int, ...], wrong: Sequence[Index]) -> list[Index]:
    """Return the matrices of an array to show: the first wrong ones, or the first ones if none is known to be wrong."""
    several = shape[:-AXES_OF_ONE]
    most = min(MOST_MATRICES, MOST_ROWS // shape[-AXES_OF_ONE]) if several else 1
    return list(islice(wrong or np.ndindex(several), max(1, most)))


def place_words(axes: tuple[str, ...], index: Index) -> str:
    """Return where in an array a matrix is, such as "sequence 1, head 2"; "part [0, 1]" if the axes have no names."""
    if not axes:
        return f"part [{', '.join(map(str, index))}]" if index else ""
    named = zip(axes, index, strict=False)
    return ", ".join(f"{singular(name)} {number + 1}" for name, number in named)


def singular(name: str) -> str:
    """Return the name of one: of "queries" it is "query"."""
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


def counted(axes: tuple[str, ...], shown: int, every: int, wrong: int) -> str:
    """Say how many matrices of an answer have wrong numbers, and which of them are shown; empty for one matrix.

    Args:
        axes: what the axes of the answer stand for; empty if unknown.
        shown, every, wrong: how many matrices are shown, are there, and are wrong; 0 if nobody knows.
    """
    if every == 1:
        return ""
    outer = axes[:-AXES_OF_ONE]
    several = f"{every} {outer[0] if len(outer) == 1 else 'parts'}"
    if not wrong:
        return f"The first {_are(shown)} shown, of {several}." if shown < every else ""
    verb = "has" if wrong == 1 else "have"
    first = f"{wrong} of the {several}" if wrong < every else f"All {several}"
    said = f"{first} {verb} wrong numbers"
    if shown < wrong:
        said += f", of which the first {_are(shown)} shown"
    right = every - wrong
    return f"{said}; the other {_are(right)} right." if right else f"{said}."


def _are(count: int) -> str:
    return "one is" if count == 1 else f"{count} are"
