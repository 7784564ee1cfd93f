"""The numbers in a value of any type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.values.values import Array, parts_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from autograder.values.values import Value


def numbers_in(value: Value) -> npt.NDArray[np.float64]:
    """Return all real numbers in a value, as one flat array."""
    arrays = [part.ravel() for part in arrays_in(value) if part.dtype.kind in "biuf"]
    with np.errstate(invalid="ignore"):  # converting a signalling NaN warns
        return np.concatenate(arrays).astype(np.float64) if arrays else np.zeros(0)


def arrays_in(value: Value) -> Iterator[npt.NDArray[Any]]:
    """Yield the arrays and plain numbers in a value, in order."""
    for part in parts_in(value):
        if (array := as_array(part)) is not None:
            yield array


def as_array(value: Value) -> npt.NDArray[Any] | None:
    """Return an array's data or a plain number as a NumPy array; None for anything else."""
    if isinstance(value, Array):
        return value.data
    return np.asarray(value) if isinstance(value, int | float) else None


def double(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return numbers as complex128 or float64."""
    return numbers.astype(np.complex128 if numbers.dtype.kind == "c" else np.float64)


def is_finite(numbers: npt.NDArray[Any]) -> bool:
    """Return whether no number is nan or inf."""
    return bool(np.count_nonzero(np.isfinite(numbers)) == numbers.size)


def right_though_not_finite(
    right: npt.NDArray[Any], given: npt.NDArray[Any], *, gaps: bool, overflows: bool
) -> npt.NDArray[np.bool_]:
    """Return where a number is right although it, or the right one, is not finite.

    inf and -inf are right where the right answer has the same.

    Args:
        gaps: NaN means not printed, as in a document's numbers.
        overflows: NaN means an overflow, which may give inf, too, as in a known wrong answer.
    """
    accepted: npt.NDArray[np.bool_] = np.isinf(right) & (given == right)
    if gaps:
        accepted |= np.isnan(right)
    elif overflows:
        either_nan = np.isnan(right) | np.isnan(given)
        accepted |= ~np.isfinite(right) & ~np.isfinite(given) & either_nan
    return accepted
