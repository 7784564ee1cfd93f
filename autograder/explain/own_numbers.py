"""The student's own numbers, for the text and for pictures. Never an expected number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.checks import DOCUMENTED, VALUE
from autograder.explain.feedback_text import LONG_NUMBER, SHOWN_COLUMNS, SHOWN_ROWS
from autograder.explain.matrices import (
    AXES_OF_ONE,
    MOST_ROWS,
    place_words,
    shown_matrices,
    wrong_matrices,
)
from autograder.explain.wording import describe, part_of_answer
from autograder.results import Numbers
from autograder.values.numbers import arrays_in, as_array
from autograder.values.values import Array

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from autograder.assignment.checks import Check
    from autograder.compare import Difference
    from autograder.values.values import Value

MOST_COLUMNS = 12
SHOWN_DIGITS = 4
_CLOSE = 1e-3
# Decimals that torch prints, and the documents. Of larger numbers float32 keeps too few to tell.
_PRINTED = 4
_MOST_FOR_DECIMALS = 50.0


def own_numbers(
    check: Check,
    criterion: str,
    difference: Difference,
    *,
    decimals: int | None = None,
    slack: float = 1.0,
) -> Numbers | None:
    """Return the first numbers of a wrong answer, of a batch those of the first wrong matrices; None if it has none.

    The right answer decides only which matrices are wrong, and whether the rows should sum to 1; it is never shown.

    `decimals` and `slack` are those of the comparison that found the difference.
    """
    seen = difference.seen
    if not isinstance(seen, Array) or seen.data.size == 0:
        return None
    data = np.atleast_2d(seen.data)
    axes = axes_of(check, criterion, difference)
    words = (len(check.words),)
    wrong = wrong_matrices(difference, decimals, slack)
    shown = shown_matrices(data.shape, [*wrong])
    matrices = [data[index] for index in shown]
    sums = seen.data.ndim > 1 and _rows_sum_to_one(difference.wanted)
    return Numbers(
        describe(seen),
        _rows(matrices),
        _decimals(matrices[0][:SHOWN_ROWS, :SHOWN_COLUMNS]),
        more_rows=data.shape[-2] > MOST_ROWS,
        more_columns=data.shape[-1] > MOST_COLUMNS,
        part=part_of_answer(check, criterion, difference.path),
        axes=axes,
        row_sums=_sums(matrices, -1, MOST_ROWS) if sums else (),
        column_sums=_sums(matrices, 0, MOST_COLUMNS) if sums else (),
        words=check.words if criterion == DOCUMENTED and data.shape[:-1] == words else (),
        places=tuple(place_words(axes, index) for index in shown if index),
        matrices=math.prod(data.shape[:-AXES_OF_ONE]),
        wrong_matrices=len(wrong),
    )


def _rows(matrices: Iterable[npt.NDArray[Any]]) -> tuple[tuple[float | str, ...], ...]:
    shown = (row[:MOST_COLUMNS] for one in matrices for row in one[:MOST_ROWS])
    return tuple(tuple(map(_plain, row)) for row in shown)


def axes_of(check: Check, criterion: str, difference: Difference) -> tuple[str, ...]:
    """Return what the axes stand for, if the step's own value has so many, and its batch the right size."""
    if criterion not in (VALUE, DOCUMENTED) or not isinstance(difference.seen, Array):
        return ()
    axes = check.axes.get(part_of_answer(check, criterion, difference.path), ())
    shape, right = difference.seen.data.shape, as_array(difference.wanted)
    is_batch = right is not None and shape[:-AXES_OF_ONE] == right.shape[:-AXES_OF_ONE]
    return axes if len(axes) == len(shape) and is_batch else ()


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


def _sums(matrices: Iterable[npt.NDArray[Any]], axis: int, most: int) -> tuple[float | str, ...]:
    """Return the first sums of each matrix along an axis."""
    return tuple(map(_plain, np.concatenate([_rounded(one, axis)[:most] for one in matrices])))


def _rounded(data: npt.NDArray[Any], axis: int) -> npt.NDArray[Any]:
    with np.errstate(all="ignore"):  # rounding a number near the largest one overflows
        sums = data.astype(np.complex128 if data.dtype.kind == "c" else np.float64).sum(axis)
        rounded = np.round(sums, SHOWN_DIGITS)
    finite: npt.NDArray[Any] = np.where(np.isfinite(rounded), rounded, sums)
    return finite


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


def is_rounded(seen: Value, wanted: Value) -> bool:
    """Return whether the numbers of an answer are rounded to the decimals that are printed, and the right ones not."""
    given, right = ([*arrays_in(one)] for one in (seen, wanted))
    if not given or any(one.dtype.kind != "f" for one in (*given, *right)):
        return False
    return all(map(_has_few_decimals, given)) and not any(map(_has_few_decimals, right))


def _has_few_decimals(numbers: npt.NDArray[Any]) -> bool:
    """Return whether no number has more decimals than are printed, as far as float32 can tell."""
    small = numbers[np.abs(numbers) < _MOST_FOR_DECIMALS].astype(np.float64)
    tolerance = 1e-6 + 2e-7 * np.abs(small)
    return bool(small.size and (np.abs(small - np.round(small, _PRINTED)) <= tolerance).all())
