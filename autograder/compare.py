"""Compare a student's result with a right answer. Both are plain data.

Type, shape, dtype and finiteness are compared before numbers. Differences that the contract allows
are accepted: float64 for float32, a Python number for a scalar, a list for a tuple, a stacked
tensor for a sequence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from autograder.values.kinds import (
    dtype_fits,
    is_number,
    is_parameter,
    is_printed,
    is_scalar,
    key_of,
    kind_fits,
)
from autograder.values.numbers import as_array
from autograder.values.values import Array, Mapping, Sequence, Value

if TYPE_CHECKING:
    import numpy.typing as npt

ABSOLUTE = 1e-4
RELATIVE = 1e-5

Fault = Literal[
    "type", "count", "keys", "shape", "dtype", "frozen", "not_finite", "values", "equal"
]


@dataclass(frozen=True)
class Right:
    """One right answer.

    Attributes:
        value: the probe's right result.
        decimals: printed digits after the decimal point, if the numbers come from a document.
        remark: name of a remark for this answer.
    """

    value: Value
    decimals: int | None = None
    remark: str | None = None


@dataclass(frozen=True)
class Difference:
    """Where and how an answer is wrong.

    Attributes:
        path: the path from the whole answer to the wrong part; indices start at 0.
        fault: the kind of difference.
        seen, wanted: the observed part and the right part. `wanted` is never shown, only described.
        wrong_places, all_places: count of wrong numbers, and of all numbers.
        worst: index of the number with the largest difference.
    """

    path: tuple[int | str, ...]
    fault: Fault
    seen: Value
    wanted: Value
    wrong_places: int = 0
    all_places: int = 0
    worst: tuple[int, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison: no difference means right. Remarks are names of remarks."""

    difference: Difference | None
    remarks: tuple[str, ...] = ()


def compare(right: Right, seen: Value, slack: float = 1.0) -> Comparison:
    """Compare the observed answer with one right answer.

    Args:
        right: the right answer. For printed numbers, half a unit of the last digit is added to the
            tolerance.
        seen: the observed answer.
        slack: factor on the tolerance |a - b| <= 1e-4 + 1e-5 |b|.
    """
    half_unit = 0.0 if right.decimals is None else 0.5 * 10.0**-right.decimals
    judge = _Judge(slack, half_unit)
    difference = judge.value(right.value, seen, ())
    remarks = list(dict.fromkeys(judge.remarks))
    if right.remark:
        remarks.append(right.remark)
    return Comparison(difference, () if difference else tuple(remarks))


def agrees(wanted: Value, seen: Value, relative: float = RELATIVE) -> bool:
    """Return whether two answers, right or wrong, are equal within the tolerance.

    Args:
        relative: relative part of the tolerance; larger if rounding affects more digits.
    """
    return _Judge(1.0, 0.0, known=True, relative=relative).value(wanted, seen, ()) is None


def distance(wanted: Value, seen: Value) -> float:
    """Return the largest difference of numbers in two answers; inf if they differ otherwise."""
    judge = _Judge(math.inf, 0.0)
    if judge.value(wanted, seen, ()) is not None:
        return math.inf
    return judge.largest


class _Judge:
    """Compare two answers part by part.

    `known` means that the wanted answer is a known wrong answer. Such an answer may have nan and
    inf, equal parts that should differ, or a tensor instead of a Parameter.
    """

    def __init__(
        self, slack: float, half_unit: float, *, known: bool = False, relative: float = RELATIVE
    ) -> None:
        self.slack = slack
        self.relative = relative
        self.least = slack * ABSOLUTE + half_unit  # tolerance at 0, the smallest
        self.half_unit = half_unit
        self.known = known
        self.remarks: list[str] = []
        self.largest = 0.0

    def value(self, wanted: Value, seen: Value, path: tuple[int | str, ...]) -> Difference | None:
        if isinstance(wanted, Sequence):
            return self._sequence(wanted, seen, path)
        if isinstance(wanted, Mapping):
            return self._mapping(wanted, seen, path)
        if isinstance(wanted, Array) or is_number(wanted):
            return self._array(wanted, seen, path)
        if type(wanted) is not type(seen):
            return Difference(path, "type", seen, wanted)
        return None if wanted == seen else Difference(path, "values", seen, wanted, 1, 1)

    def _sequence(
        self, wanted: Sequence, seen: Value, path: tuple[int | str, ...]
    ) -> Difference | None:
        items = _parts(seen, wanted)
        if items is None:
            return Difference(path, "type", seen, wanted)
        if len(items) != len(wanted.items):
            return Difference(path, "count", seen, wanted)
        if wanted.kind == "different":
            return self._different(wanted, items, path)
        for number, (right, part) in enumerate(zip(wanted.items, items, strict=True)):
            if found := self.value(right, part, (*path, number)):
                return found
        return None

    def _different(
        self, wanted: Sequence, items: tuple[Value, ...], path: tuple[int | str, ...]
    ) -> Difference | None:
        """Require that all parts differ, and that each has the right type and shape.

        For a known wrong answer, require the same equal parts.
        """
        for number, (right, part) in enumerate(zip(wanted.items, items, strict=True)):
            found = _Judge(math.inf, 0.0).value(right, part, (*path, number))
            if found:
                return found
            equal = _equal_to(items, number)
            if equal and not self.known:
                return Difference((*path, number), "equal", part, right)
            if self.known and equal != _equal_to(wanted.items, number):
                return Difference((*path, number), "values", part, right)
        return None

    def _mapping(
        self, wanted: Mapping, seen: Value, path: tuple[int | str, ...]
    ) -> Difference | None:
        if not isinstance(seen, Mapping):
            return Difference(path, "type", seen, wanted)
        found = {key_of(key): item for key, item in seen.items}
        keys = [key_of(key) for key, _ in wanted.items]
        if found.keys() != set(keys) or len(found) != len(seen.items):
            return Difference(path, "keys", seen, wanted)
        for key, (name, right) in zip(keys, wanted.items, strict=True):
            place = name if isinstance(name, str) else repr(name)
            if difference := self.value(right, found[key], (*path, place)):
                return difference
        return None

    def _array(self, wanted: Value, seen: Value, path: tuple[int | str, ...]) -> Difference | None:
        right, given = as_array(wanted), as_array(seen)
        assert right is not None
        if given is None or not kind_fits(wanted, seen):
            return Difference(path, "type", seen, wanted)
        if self.known and is_parameter(seen) and not is_parameter(wanted):
            return Difference(path, "type", seen, wanted)
        if given.shape != right.shape:
            return Difference(path, "shape", seen, wanted)
        if not dtype_fits(wanted, right.dtype, given.dtype):
            return Difference(path, "dtype", seen, wanted)
        if is_parameter(wanted) and isinstance(seen, Array):
            assert isinstance(wanted, Array)
            if seen.requires_grad != wanted.requires_grad:
                return Difference(path, "frozen", seen, wanted)
        self._remark(wanted, seen, given)
        return self._numbers(right, given, seen, wanted, path)

    def _remark(self, wanted: Value, seen: Value, given: npt.NDArray[Any]) -> None:
        if not isinstance(wanted, Array) or not isinstance(seen, Array) or is_printed(wanted):
            return
        if given.dtype.kind == "f" and seen.dtype != wanted.dtype:
            self.remarks.append("dtype")

    def _numbers(
        self,
        right: npt.NDArray[Any],
        given: npt.NDArray[Any],
        seen: Value,
        wanted: Value,
        path: tuple[int | str, ...],
    ) -> Difference | None:
        if given.dtype.kind in "biu":
            found = self._places((right != given).astype(np.float64), None)
        else:
            # In a document's numbers NaN means not printed; in a known wrong answer it means NaN.
            if (is_printed(wanted) or self.known) and not _is_finite(right):
                gaps = ~np.isfinite(right)
                if self.known and (np.isfinite(given) == gaps).any():
                    return Difference(path, "not_finite", seen, wanted)
                right, given = np.where(gaps, 0.0, right), np.where(gaps, 0.0, given)
            if not _is_finite(given):
                return Difference(path, "not_finite", seen, wanted)
            right = _wide(right)
            found = self._places(np.abs(_wide(given) - right), right)
        return Difference(path, "values", seen, wanted, *found) if found else None

    def _places(
        self, off: npt.NDArray[np.float64], right: npt.NDArray[Any] | None
    ) -> tuple[int, int, tuple[int, ...]] | None:
        """Return the count of wrong numbers, the count of all numbers, and the worst one's index.

        Returns None if no number is wrong. `off` has the absolute differences. `right` is None for
        integers, which have no tolerance.
        """
        if not off.size:
            return None
        worst = off.argmax()
        largest = off.item(worst)
        self.largest = max(self.largest, largest)
        if largest <= (0.0 if right is None else self.least):
            return None
        allowed: Any = 0.0
        if right is not None:
            allowed = self.slack * (ABSOLUTE + self.relative * np.abs(right)) + self.half_unit
        # An infinite number makes difference and tolerance infinite: count it as wrong.
        places = int(np.count_nonzero(~(off <= allowed) | np.isinf(off)))
        if not places:
            return None
        index = np.unravel_index(worst, off.shape)
        return places, off.size, tuple(int(number) for number in index)


def _wide(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return numbers.astype(np.complex128 if numbers.dtype.kind == "c" else np.float64)


def _is_finite(numbers: npt.NDArray[Any]) -> bool:
    return bool(np.count_nonzero(np.isfinite(numbers)) == numbers.size)


def _parts(seen: Value, wanted: Sequence) -> tuple[Value, ...] | None:
    """Return the parts of a sequence, or of a stacked tensor, which unpacks like a sequence."""
    if isinstance(seen, Sequence):
        return seen.items
    least = 1 if all(map(is_scalar, wanted.items)) else 2
    if not isinstance(seen, Array) or seen.data.ndim < least:
        return None
    parts = (np.asarray(part) for part in seen.data)
    return tuple(Array(seen.kind, seen.dtype, part, seen.requires_grad) for part in parts)


def _equal_to(items: tuple[Value, ...], number: int) -> tuple[int, ...]:
    """Return the indices of the earlier parts that equal this part."""
    return tuple(earlier for earlier in range(number) if agrees(items[earlier], items[number]))
