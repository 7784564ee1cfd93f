"""The student's own numbers, for the text and for pictures; the expected ones only where they are asked for."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.assignment.checks import DOCUMENTED, VALUE
from autograder.explain.feedback_text import LONG_NUMBER, SHOWN_COLUMNS, SHOWN_ROWS
from autograder.explain.matrices import AXES_OF_ONE, first_wrong, place_words
from autograder.explain.wording import describe, part_of_answer
from autograder.results import Numbers
from autograder.values.numbers import as_array
from autograder.values.values import Array

if TYPE_CHECKING:
    import numpy.typing as npt

    from autograder.assignment.checks import Check
    from autograder.compare import Difference
    from autograder.values.values import Value

MOST_ROWS = MOST_COLUMNS = 12
SHOWN_DIGITS = 4
_CLOSE = 1e-3
_LARGE = 1e4


def own_numbers(
    check: Check,
    criterion: str,
    difference: Difference,
    *,
    decimals: int | None = None,
    slack: float = 1.0,
    expected: bool = False,
) -> Numbers | None:
    """Return the first numbers of a wrong answer, of a batch those of the first wrong matrix; None if it has none.

    The right answer decides only which matrix is shown, and whether the rows should sum to 1; unless its numbers are
    `expected`, it is never shown.

    `decimals` and `slack` are those of the comparison that found the difference.
    """
    value = difference.wanted if expected else difference.seen
    if not isinstance(value, Array) or value.data.size == 0:
        return None
    data = np.atleast_2d(value.data)
    shape, right = value.data.shape, as_array(difference.wanted)
    axes = _axes(check, criterion, difference, shape)
    wrong = first_wrong(difference, decimals, slack)
    index = wrong[0] if wrong else (0,) * (data.ndim - AXES_OF_ONE)
    shown = data[index][:MOST_ROWS, :MOST_COLUMNS]
    sums = value.data.ndim > 1 and _rows_sum_to_one(difference.wanted)
    printed = decimals if expected else None
    rows = (("" if printed and np.isnan(one) else _plain(one) for one in row) for row in shown)
    return Numbers(
        describe(value),
        tuple(map(tuple, rows)),
        _decimals(shown[:SHOWN_ROWS, :SHOWN_COLUMNS]) if printed is None else printed,
        more_rows=data.shape[-2] > MOST_ROWS,
        more_columns=data.shape[-1] > MOST_COLUMNS,
        part=part_of_answer(check, criterion, difference.path),
        axes=axes if right is not None and right.shape == shape else (),
        row_sums=_sums(data[index], -1)[:MOST_ROWS] if sums else (),
        column_sums=_sums(data[index], 0)[:MOST_COLUMNS] if sums else (),
        place=place_words(axes, index),
    )


def coarse(numbers: Numbers) -> Numbers:
    """Return numbers with the shown decimals, and of large ones the size: exact ones can carry hidden inputs."""
    rows = tuple(tuple(_coarse(one, numbers.decimals) for one in row) for row in numbers.rows)
    sums = (numbers.row_sums, numbers.column_sums)
    of_rows, of_columns = (tuple(_coarse(one, numbers.decimals) for one in every) for every in sums)
    return replace(numbers, rows=rows, row_sums=of_rows, column_sums=of_columns)


def _coarse(number: float | str, decimals: int) -> float | str:
    if isinstance(number, bool | str):
        return number
    if abs(number) < _LARGE:
        return round(number, decimals)
    return math.copysign(10.0 ** math.floor(math.log10(abs(number))), number)


def fault_kinds(difference: Difference) -> tuple[str, ...]:
    """Return the kinds of a fault, the most exact first (see `assignment.checks.KINDS`)."""
    seen = difference.seen.data if isinstance(difference.seen, Array) else None
    if difference.fault != "values" or seen is None or not _rows_sum_to_one(difference.wanted):
        return (difference.fault,)
    sums = seen.sum(-1)
    return ("values",) if np.allclose(sums, sums.flat[0], atol=_CLOSE) else ("sums", "values")


def _axes(
    check: Check, criterion: str, difference: Difference, shape: tuple[int, ...]
) -> tuple[str, ...]:
    """Return what the axes of an array stand for, if the step's own value has so many, and its batch the right size."""
    right = as_array(difference.wanted)
    if criterion not in (VALUE, DOCUMENTED) or right is None:
        return ()
    axes = check.axes.get(part_of_answer(check, criterion, difference.path), ())
    is_batch = shape[:-AXES_OF_ONE] == right.shape[:-AXES_OF_ONE]
    return axes if len(axes) == len(shape) and is_batch else ()


def _rows_sum_to_one(wanted: Value) -> bool:
    right = as_array(wanted)
    if right is None or right.ndim < 2 or right.dtype.kind != "f" or right.shape[-1] < 2:  # noqa: PLR2004
        return False
    return bool((right > -_CLOSE).all() and np.allclose(right.sum(-1), 1, atol=_CLOSE))


def _sums(matrix: npt.NDArray[Any], axis: int) -> tuple[float | str, ...]:
    """Return the sums along an axis."""
    with np.errstate(all="ignore"):  # rounding a number near the largest one overflows
        sums = matrix.astype(np.complex128 if matrix.dtype.kind == "c" else np.float64).sum(axis)
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
    return plain if isinstance(plain, int | float) else f"{number:.3g}"
