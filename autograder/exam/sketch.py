"""A sketch of a wrong answer: its form exactly, and of its numbers a few sums with fixed weights.

Two answers with one sketch are the same answer. A sketch takes fewer bytes than the answer, so that a release can hold
thousands of wrong answers, and it cannot be read back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from autograder.compare import ABSOLUTE, RELATIVE, agrees
from autograder.values.kinds import is_parameter, is_scalar
from autograder.values.numbers import numbers_in
from autograder.values.values import Array, DictValue, ListValue, Other

if TYPE_CHECKING:
    import numpy.typing as npt

    from autograder.values.values import Value

# So many numbers are kept as they are. Of more, as many sums are kept as there are _RATES.
_WHOLE = 6
_RATES = (0.7548776662, 0.5698402909, 1.3247179572, 1.8392867552)
# How far rounding moves a sum of n numbers, beside one number.
_SPREAD = 3.0
# Sums of such numbers and their tolerance could be inf: they are compared one by one.
_HUGE = 1e100


@dataclass(frozen=True)
class Sketch:
    """The form of an answer, and what is kept of its numbers."""

    form: str
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class Sketched:
    """An observed answer, ready to be compared with many sketches.

    Attributes:
        tolerance: how far each number of a sketch may be from this one's.
    """

    sketch: Sketch
    tolerance: tuple[float, ...]

    def fits(self, other: Sketch) -> bool:
        """Return whether this is the answer of a sketch, up to rounding."""
        if self.sketch.form != other.form:
            return False
        numbers = zip(self.sketch.numbers, other.numbers, self.tolerance, strict=True)
        return all(abs(one - wanted) <= tolerance for one, wanted, tolerance in numbers)


def sketched(value: Value) -> Sketched:
    """Return the sketch of an answer, with tolerances."""
    every = numbers_in(value)
    ordinary = np.abs(every) < _HUGE
    numbers = np.where(ordinary, every, 0.0)
    form = _form(value) + ("" if ordinary.all() else _not_ordinary(every, ordinary))
    if numbers.size <= _WHOLE:
        tolerance = ABSOLUTE + RELATIVE * np.abs(numbers)
    else:
        size = float(np.linalg.norm(numbers))
        largest = _SPREAD * (ABSOLUTE * float(np.sqrt(numbers.size)) + RELATIVE * size)
        numbers, tolerance = _weights(numbers.size) @ numbers, np.full(len(_RATES), largest)
    return Sketched(Sketch(form, tuple(numbers.tolist())), tuple(tolerance.tolist()))


@cache
def _weights(count: int) -> npt.NDArray[np.float64]:
    """Return fixed weights between -1 and 1, no two of which are equal: a row for each sum."""
    return np.cos(np.outer(_RATES, np.arange(1.0, count + 1) ** 2))


def _form(value: Value) -> str:
    """Return the kinds, shapes, keys and texts of an answer. A list is a tuple, and any real scalar is a number."""
    if isinstance(value, Array):
        trainable = value.requires_grad if is_parameter(value) else ""
        kind = "number" if is_scalar(value) and not is_parameter(value) else value.kind
        return f"{kind}{trainable} {value.data.dtype.kind}{list(value.data.shape)}"
    if isinstance(value, ListValue):
        equal = f"equal parts {_equal_parts(value.items)} " if value.kind == "different" else ""
        return f"{equal}({', '.join(map(_form, value.items))})"
    if isinstance(value, DictValue):
        return f"{{{', '.join(f'{_form(key)}: {_form(part)}' for key, part in value.items)}}}"
    if isinstance(value, Other):
        return f"object {value.type_name}"
    if isinstance(value, int | float):
        return f"number {np.asarray(value).dtype.kind}[]"
    return repr(value)


def _equal_parts(parts: tuple[Value, ...]) -> list[int]:
    """Return for each part the number of the first one that equals it."""
    return [
        next(place for place, one in enumerate(parts) if one is part or agrees(one, part))
        for part in parts
    ]


def _not_ordinary(numbers: npt.NDArray[np.float64], ordinary: npt.NDArray[np.bool_]) -> str:
    """Return where nan, inf, -inf and huge numbers stand, and what they are."""
    places = np.flatnonzero(~ordinary)
    return f" not ordinary: {[(int(place), str(numbers[place])) for place in places]}"
