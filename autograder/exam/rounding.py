"""How far rounding may carry a known wrong answer, which another processor computes with other last digits.

Most answers keep all digits that the tolerance asks for. A few do not: what is divided by a sum close to zero, say.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from autograder.compare import ABSOLUTE, RELATIVE, agrees
from autograder.values.numbers import numbers_in
from autograder.values.values import Array, Mapping, Sequence

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping as AbstractMapping

    from autograder.values.values import Value

# A float32 holds 24 binary digits; the inputs are moved by four units of the last one.
_SHAKE = 4 * 2.0**-23
# How many times as far as it was seen to move an answer may be off.
_MARGIN = 4.0
# What moves by more than this part of itself jumps: it was rounded or picked, and has no last digits.
_JUMP = 1e-2

V = TypeVar("V", bound="Value")


def shaken(inputs: AbstractMapping[str, Value]) -> dict[str, Value]:
    """The same inputs with other last digits, the same ones each time."""
    return {name: _shaken(value) for name, value in inputs.items()}


def _shaken(value: V) -> V:
    match value:
        case Array() if value.data.dtype.kind == "f":
            up = np.arange(value.data.size).reshape(value.data.shape) * 7 % 5 < 2  # noqa: PLR2004
            moved = value.data * np.where(up, 1 + _SHAKE, 1 - _SHAKE)
            return replace(value, data=moved.astype(value.data.dtype))
        case Sequence():
            return replace(value, items=tuple(_shaken(item) for item in value.items))
        case Mapping():
            items = tuple((key, _shaken(item)) for key, item in value.items)
            return replace(value, items=items)
    return value


def relative_tolerance(answer: Value, moved: Value) -> float:
    """The relative tolerance within which an answer is met, from what is answered to the shaken inputs."""
    one, other = numbers_in(answer), numbers_in(moved)
    if one.shape != other.shape:
        return RELATIVE
    both = np.isfinite(one) & np.isfinite(other)
    size = np.abs(one[both])
    off = np.abs(one[both] - other[both])
    far = off * _MARGIN > ABSOLUTE + RELATIVE * size
    with np.errstate(divide="ignore"):
        moves = off[far] / size[far]
    moves = moves[moves < _JUMP]
    return max(RELATIVE, _MARGIN * float(moves.max())) if moves.size else RELATIVE


def agrees_up_to_rounding(
    answer: Value, seen: Value, move: Callable[[], tuple[Value] | None]
) -> bool:
    """Whether an answer was seen, up to the digits that rounding decides.

    Args:
        answer: what the reference answers with something in it exchanged.
        seen: what came back.
        move: gives the answer to the shaken inputs, None where there is none; called only after a near miss.
    """
    if agrees(answer, seen):
        return True
    if not agrees(answer, seen, _JUMP):
        return False
    moved = move()
    return moved is not None and agrees(answer, seen, relative_tolerance(answer, moved[0]))
