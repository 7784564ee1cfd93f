"""The student's own numbers, for the text and for pictures. Never an expected number."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.checks import DOCUMENTED, VALUE
from autograder.explain.feedback_text import LONG_NUMBER, SHOWN_COLUMNS, SHOWN_ROWS
from autograder.explain.wording import describe, part_of_answer
from autograder.results import Numbers
from autograder.values.numbers import as_array
from autograder.values.values import Array

if TYPE_CHECKING:
    import numpy.typing as npt

    from autograder.assignment.checks import Check
    from autograder.compare import Difference
    from autograder.values.values import Value

MOST_ROWS = 12
MOST_COLUMNS = 12
SHOWN_DIGITS = 4
_CLOSE = 1e-3


def own_numbers(check: Check, criterion: str, difference: Difference) -> Numbers | None:
    """Return the first numbers of a wrong answer; None if it has none.

    The right answer decides only whether the rows should sum to 1; it is never shown.
    """
    seen = difference.seen
    if not isinstance(seen, Array) or seen.data.size == 0:
        return None
    data = seen.data
    rows = data.reshape(-1, data.shape[-1]) if data.ndim > 1 else data.reshape(1, -1)
    shown = rows[:MOST_ROWS, :MOST_COLUMNS]
    part = part_of_answer(check, criterion, difference.path)
    axes = _axes(check, criterion, difference)
    words = check.words if criterion == DOCUMENTED and len(check.words) == len(rows) else ()
    sums = data.ndim > 1 and _rows_sum_to_one(difference.wanted)
    return Numbers(
        describe(seen),
        tuple(tuple(map(_plain, row)) for row in shown),
        _decimals(rows[:SHOWN_ROWS, :SHOWN_COLUMNS]),
        more_rows=len(rows) > MOST_ROWS,
        more_columns=rows.shape[1] > MOST_COLUMNS,
        part=part,
        axes=axes,
        row_sums=_sums(rows, -1)[:MOST_ROWS] if sums else (),
        column_sums=_sums(data, 0)[:MOST_COLUMNS] if sums and data.ndim == 2 else (),  # noqa: PLR2004
        words=_places(axes, data.shape) if len(axes) > 2 else words,  # noqa: PLR2004
    )


def _places(axes: tuple[str, ...], shape: tuple[int, ...]) -> tuple[str, ...]:
    """Return where in a batch the first rows are, such as "sequence 1, query 2"."""
    places = itertools.islice(np.ndindex(shape[:-1]), MOST_ROWS)
    return tuple(
        ", ".join(
            f"{singular(name)} {number + 1}" for name, number in zip(axes, place, strict=False)
        )
        for place in places
    )


def singular(name: str) -> str:
    """Return the name of one: of "queries" it is "query"."""
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


def _axes(check: Check, criterion: str, difference: Difference) -> tuple[str, ...]:
    """Return what the axes stand for, if the step's own value has so many."""
    if criterion not in (VALUE, DOCUMENTED) or not isinstance(difference.seen, Array):
        return ()
    axes = check.axes.get(part_of_answer(check, criterion, difference.path), ())
    return axes if len(axes) == difference.seen.data.ndim else ()


def fault_kinds(difference: Difference) -> tuple[str, ...]:
    """Return the kinds of a fault, the most exact first (see `assignment.checks.KINDS`)."""
    seen = difference.seen.data if isinstance(difference.seen, Array) else None
    if difference.fault != "values" or seen is None or not _rows_sum_to_one(difference.wanted):
        return (difference.fault,)
    sums = seen.sum(-1)
    return ("values",) if np.allclose(sums, sums.flat[0], atol=_CLOSE) else ("sums", "values")


def _rows_sum_to_one(wanted: Value) -> bool:
    right = as_array(wanted)
    if right is None or right.ndim < 2 or right.dtype.kind != "f" or right.shape[-1] < 2:  # noqa: PLR2004
        return False
    return bool((right >= 0).all() and np.allclose(right.sum(-1), 1, atol=_CLOSE))


def _sums(data: npt.NDArray[Any], axis: int) -> tuple[float | str, ...]:
    with np.errstate(all="ignore"):  # rounding a number near the largest one overflows
        sums = data.astype(np.complex128 if data.dtype.kind == "c" else np.float64).sum(axis)
        rounded = np.round(sums, SHOWN_DIGITS)
    return tuple(map(_plain, np.where(np.isfinite(rounded), rounded, sums)))


def _decimals(shown: npt.NDArray[Any]) -> int:
    """Return how many decimals to show. Further digits of float32 numbers differ between processors."""
    sizes = np.abs(shown[np.isfinite(shown)].astype(np.float64)) if shown.dtype.kind == "f" else ()
    whole_digits = len(str(int(max((size for size in sizes if size < LONG_NUMBER), default=0))))
    return max(1, SHOWN_DIGITS - whole_digits)


def _plain(number: Any) -> float | str:
    """Return a number that JSON can hold, or its text."""
    plain = number.item()
    if isinstance(plain, float) and not math.isfinite(plain):
        return str(plain)
    return plain if isinstance(plain, int | float) else str(number)
