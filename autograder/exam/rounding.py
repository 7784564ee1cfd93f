"""Tell a known wrong answer from another one, up to rounding: how far it may be moved by that.

Another processor computes other last digits. For most known wrong answers the normal tolerance is enough. A few need
more, for example after a division by a sum close to zero.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from autograder.compare import ABSOLUTE, RELATIVE, agrees
from autograder.values.numbers import arrays_in, numbers_in
from autograder.values.values import Array, DictValue, with_arrays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from autograder.exam.reference import Answer, Numbers
    from autograder.values.values import Value

# An answer may be off by this factor times its observed change.
_MARGIN = 4.0
# A larger relative change is a jump (the number was rounded or selected), not a rounding error.
_JUMP = 1e-2
# A float32 has 24 binary digits; shaken inputs are changed by four units of the last one.
_SHAKE = 4 * 2.0**-23


def relative_tolerance(answer: Value, moved: Value) -> float:
    """Return the relative tolerance for an answer.

    Args:
        answer: the answer to the original inputs.
        moved: the answer to the shaken inputs.
    """
    numbers, moved_numbers = numbers_in(answer), numbers_in(moved)
    if numbers.shape != moved_numbers.shape:
        return RELATIVE
    both = np.isfinite(numbers) & np.isfinite(moved_numbers)
    size = np.abs(numbers[both])
    off = np.abs(numbers[both] - moved_numbers[both])
    far = off * _MARGIN > ABSOLUTE + RELATIVE * size
    with np.errstate(divide="ignore"):
        moves = off[far] / size[far]
    moves = moves[moves < _JUMP]
    return max(RELATIVE, _MARGIN * float(moves.max())) if moves.size else RELATIVE


def agrees_up_to_rounding(answer: Value, seen: Value, move: Callable[[], Answer]) -> bool:
    """Return whether the observed answer equals a known answer, up to rounding.

    Args:
        answer: the answer of the reference with something replaced.
        seen: the observed answer.
        move: returns the answer to the shaken inputs, or None if there is none. Called only if the
            two answers are close but not equal within the normal tolerance.
    """
    if agrees(answer, seen):
        return True
    if not agrees(answer, seen, _JUMP):
        return False
    moved = move()
    return moved is not None and agrees(answer, seen, relative_tolerance(answer, moved[0]))


def shaken(inputs: Mapping[str, Value]) -> dict[str, Value]:
    """Return the inputs with changed last digits. The change is deterministic."""
    return _changed(inputs, _shaken)


def without_each(inputs: Mapping[str, Value]) -> Iterator[dict[str, Value]]:
    """Yield the inputs with zeros in place of one array of real numbers: of each in turn."""
    for array in arrays_in(DictValue(tuple(inputs.items()))):
        if array.dtype.kind == "f":
            yield _changed(inputs, partial(_zeros_for, array))


def _shaken(data: Numbers) -> Numbers:
    up = np.arange(data.size).reshape(data.shape) * 7 % 5 < 2  # noqa: PLR2004
    return data * np.where(up, 1 + _SHAKE, 1 - _SHAKE)


def _zeros_for(array: Numbers, data: Numbers) -> Numbers:
    return np.zeros_like(data) if data is array else data


def _changed(inputs: Mapping[str, Value], change: Callable[[Numbers], Numbers]) -> dict[str, Value]:
    """Return the inputs with a change to each of their arrays of real numbers."""

    def changed(array: Array) -> Array:
        data = array.data
        real = data.dtype.kind == "f"
        return replace(array, data=change(data).astype(data.dtype)) if real else array

    return {name: with_arrays(value, changed) for name, value in inputs.items()}
