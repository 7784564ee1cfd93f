"""The numbers in a value of any type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.values.values import Array, Mapping, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from autograder.values.values import Value


def numbers_in(value: Value) -> npt.NDArray[np.float64]:
    """Return all real numbers in a value, as one flat array."""
    found = [part.ravel() for part in arrays_in(value) if part.dtype.kind in "biuf"]
    return np.concatenate(found).astype(np.float64) if found else np.zeros(0)


def arrays_in(value: Value) -> Iterator[npt.NDArray[Any]]:
    """Yield the arrays and plain numbers in a value, in order."""
    if isinstance(value, Sequence):
        for item in value.items:
            yield from arrays_in(item)
    elif isinstance(value, Mapping):
        for _, item in value.items:
            yield from arrays_in(item)
    elif (array := as_array(value)) is not None:
        yield array


def as_array(value: Value) -> npt.NDArray[Any] | None:
    """Return an array's data or a plain number as a NumPy array; None for anything else."""
    if isinstance(value, Array):
        return value.data
    return np.asarray(value) if isinstance(value, int | float) else None
