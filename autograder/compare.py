"""Compare a student's result with a right answer. Both are plain data.

Type, shape, dtype and finiteness are compared before numbers. Differences that the contract allows
are accepted: float64 for float32, a Python number for a scalar, a list for a tuple, a stacked
tensor for a sequence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.values.kinds import (
    count_of_parts,
    dtype_fits,
    is_parameter,
    is_printed,
    is_raised,
    key_of,
    kind_fits,
    unpacked,
)
from autograder.values.numbers import as_array, double, is_finite, right_though_not_finite
from autograder.values.values import Array, DictValue, ListValue, Value, identical

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from autograder.reasons import Fault

ABSOLUTE = 1e-4
RELATIVE = 1e-5

# The way from a whole answer to a part of it; indices start at 0.
Route = tuple[int | str, ...]


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

    @cached_property
    def compared_with_itself(self) -> Comparison:
        """The comparison of this answer with itself: computed once, because many answers are exactly right."""
        return _compared(self, self.value, 1.0)


@dataclass(frozen=True)
class Difference:
    """Where and how an answer is wrong.

    Attributes:
        path: the path from the whole answer to the wrong part.
        fault: the kind of difference.
        seen, wanted: the observed part and the right part. `wanted` is never shown, only described.
        wrong_places, all_places: count of wrong numbers, and of all numbers.
    """

    path: Route
    fault: Fault
    seen: Value
    wanted: Value
    wrong_places: int = 0
    all_places: int = 0


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
    if identical(right.value, seen):
        return right.compared_with_itself
    return _compared(right, seen, slack)


def closest(right: Iterable[Right], seen: Value, slack: float = 1.0) -> Comparison:
    """Compare the observed answer with several right answers, one of which is enough.

    Return the first comparison without a difference, or the first of all. There is at least one right answer.
    """
    return first_right([compare(answer, seen, slack) for answer in right])


def first_right(comparisons: Sequence[Comparison]) -> Comparison:
    """Return the first comparison without a difference, or the first of all."""
    return min(comparisons, key=lambda comparison: comparison.difference is not None)


def _compared(right: Right, seen: Value, slack: float) -> Comparison:
    half_unit = 0.0 if right.decimals is None else 0.5 * 10.0**-right.decimals
    comparer = _Comparer(slack, half_unit)
    difference = comparer.value(right.value, seen, ())
    if difference and difference.fault == "values":  # a part that is missing says more
        other = _Comparer(math.inf, half_unit).value(right.value, seen, ())
        difference = other if other and other.seen is None else difference
    remarks = list(dict.fromkeys(comparer.remarks))
    if right.remark:
        remarks.append(right.remark)
    return Comparison(difference, () if difference else tuple(remarks))


def agrees(wanted: Value, seen: Value, relative: float = RELATIVE) -> bool:
    """Return whether two answers, right or wrong, are equal within the tolerance.

    Args:
        relative: relative part of the tolerance; larger if rounding affects more digits.
    """
    return _Comparer(1.0, 0.0, known=True, relative=relative).value(wanted, seen, ()) is None


def distance(wanted: Value, seen: Value) -> float:
    """Return the largest difference of numbers in two answers; inf if they differ otherwise."""
    comparer = _Comparer(math.inf, 0.0)
    if comparer.value(wanted, seen, ()) is not None:
        return math.inf
    return comparer.largest


class _Comparer:
    """Compare two answers part by part.

    `known` means that the wanted answer is a known wrong answer. Such an answer may have nan, equal
    parts that should differ, or a tensor instead of a Parameter.
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

    def value(self, wanted: Value, seen: Value, path: Route) -> Difference | None:
        if is_raised(wanted):
            same = identical(wanted, seen)
            return None if same else Difference(path, "no_exception", seen, wanted)
        if isinstance(wanted, ListValue):
            return self._sequence(wanted, seen, path)
        if isinstance(wanted, DictValue):
            return self._mapping(wanted, seen, path)
        if isinstance(wanted, Array | int | float):
            return self._array(wanted, seen, path)
        if type(wanted) is not type(seen):
            return Difference(path, "type", seen, wanted)
        return None if wanted == seen else Difference(path, "values", seen, wanted, 1, 1)

    def _sequence(self, wanted: ListValue, seen: Value, path: Route) -> Difference | None:
        count = count_of_parts(seen, wanted)
        if count is None:
            return Difference(path, "type", seen, wanted)
        if count != len(wanted.items):  # before a tensor of very many rows is taken apart
            return Difference(path, "count", seen, wanted)
        items = unpacked(seen)
        if wanted.kind == "different":
            return self._different(wanted, items, path)
        for number, (right, part) in enumerate(zip(wanted.items, items, strict=True)):
            if difference := self.value(right, part, (*path, number)):
                return difference
        return None

    def _different(
        self, wanted: ListValue, items: tuple[Value, ...], path: Route
    ) -> Difference | None:
        """Require that all parts differ, and that each has the right type and shape.

        For a known wrong answer, require the same equal parts.
        """
        for number, (right, part) in enumerate(zip(wanted.items, items, strict=True)):
            difference = _Comparer(math.inf, 0.0).value(right, part, (*path, number))
            if difference:
                return difference
            equal = _equal_to(items, number)
            if equal and not self.known:
                return Difference((*path, number), "equal", part, right)
            if self.known and equal != _equal_to(wanted.items, number):
                return Difference((*path, number), "values", part, right)
        return None

    def _mapping(self, wanted: DictValue, seen: Value, path: Route) -> Difference | None:
        if not isinstance(seen, DictValue):
            return Difference(path, "type", seen, wanted)
        seen_items = {key_of(key): item for key, item in seen.items}
        keys = [key_of(key) for key, _ in wanted.items]
        if seen_items.keys() != set(keys) or len(keys) != len(seen.items):
            return Difference(path, "keys", seen, wanted)
        for key, (name, right) in zip(keys, wanted.items, strict=True):
            place = name if isinstance(name, str) else repr(name)
            if difference := self.value(right, seen_items[key], (*path, place)):
                return difference
        return None

    def _array(self, wanted: Value, seen: Value, path: Route) -> Difference | None:
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
        path: Route,
    ) -> Difference | None:
        if given.dtype.kind in "biu":
            wrong = self._places((right != given).astype(np.float64), None)
        else:
            if not (is_finite(right) and is_finite(given)):
                accepted = right_though_not_finite(
                    right, given, gaps=is_printed(wanted), overflows=self.known
                )
                right, given = np.where(accepted, 0.0, right), np.where(accepted, 0.0, given)
                if not is_finite(given):
                    return Difference(path, "not_finite", seen, wanted)
            right = double(right)
            wrong = self._places(np.abs(double(given) - right), right)
        return Difference(path, "values", seen, wanted, *wrong) if wrong else None

    def _places(
        self, differences: npt.NDArray[np.float64], right: npt.NDArray[Any] | None
    ) -> tuple[int, int] | None:
        """Return the count of wrong numbers, and the count of all numbers.

        Returns None if no number is wrong. `differences` are absolute. `right` is None for integers,
        which have no tolerance.
        """
        if not differences.size:
            return None
        largest = differences.item(differences.argmax())
        self.largest = max(self.largest, largest)
        if largest <= (0.0 if right is None else self.least):
            return None
        tolerance: Any = 0.0
        if right is not None:
            tolerance = self.slack * (ABSOLUTE + self.relative * np.abs(right)) + self.half_unit
        # An infinite number makes difference and tolerance infinite: count it as wrong.
        wrong = ~(differences <= tolerance) | np.isinf(differences)
        count = int(np.count_nonzero(wrong))
        return (count, differences.size) if count else None


def _equal_to(items: tuple[Value, ...], number: int) -> tuple[int, ...]:
    """Return the indices of the earlier parts that equal this part."""
    return tuple(earlier for earlier in range(number) if agrees(items[earlier], items[number]))
