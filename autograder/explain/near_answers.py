"""Answers that are wrong by little: few digits, rounded numbers, a small number that was added."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import numpy as np

from autograder.explain.rules import Finding, finding, guess
from autograder.explain.syntax import nodes
from autograder.values.numbers import arrays_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    import numpy.typing as npt

    from autograder.explain.student_code import Definition
    from autograder.values.values import Value

    Numbers = npt.NDArray[Any]

NEAR = 1e-2
# Beside numbers that are small themselves, so much is a clear difference.
_CLEAR = 0.05
PRINTED = 4  # decimals that torch prints, and the documents
_MOST_FOR_DECIMALS = 50.0  # of larger ones float32 keeps too few decimals to tell
_LEAST_MOVED = 1e-7
_DIGITS = {"bfloat16": 2, "float16": 3}  # what fits in bfloat16 mostly fits in float16, too
_ENOUGH = 3  # of fewer numbers, all may have few digits by chance
_HALF = ("half()", "bfloat16()", "_.float16", "_.half", "_.bfloat16")
_ROUND = ("round()", "around()", "_.format()")


def nearly_right(seen: Value, wanted: Value, definitions: Sequence[Definition]) -> Finding | None:
    """Explain why an answer is wrong by little, if its numbers or the source show it."""
    pairs = list(_wrong_arrays(seen, wanted))
    off = _off(pairs)
    for decimals in range(PRINTED + 1):
        if pairs and all(_is_rounded_to(decimals, *pair) for pair in pairs):
            code = _written(definitions, _ROUND)
            return finding("rounded" + ".code" * bool(code), decimals=decimals, code=code)
    if off is None:
        return None
    code = _written(definitions, _HALF)
    for dtype, digits in _DIGITS.items():
        if all(_keeps(dtype, given) for given, _ in pairs):
            key = "half_precision" + ".code" * bool(code)
            return finding(key, dtype=dtype, digits=digits, code=code)
    if code := _written(definitions, _ROUND):
        return finding("rounded.on_the_way", off=off, code=code)
    if code := next(_small_numbers(definitions), ""):
        return guess("small_number", off=off, code=code)
    return None


def is_rounded(seen: Value, wanted: Value) -> bool:
    """Return whether the numbers of an answer are rounded to the decimals that are printed, and the right ones not."""
    pairs = [(wide(given), wide(right)) for given, right in _arrays(seen, wanted)]
    return bool(pairs) and all(
        _has_decimals(PRINTED, given) and not _has_decimals(PRINTED, right)
        for given, right in pairs
    )


def how_far_off(given: Numbers, right: Numbers) -> float | None:
    """Return the largest difference, if it is small; None if it is not."""
    return _off([(given, right)])


def _off(pairs: Sequence[tuple[Numbers, Numbers]]) -> float | None:
    largest = 0.0
    for given, right in pairs:
        off, scale = float(np.abs(given - right).max()), float(np.abs(right).max())
        if off > NEAR * max(1.0, scale) or off > _CLEAR * scale:
            return None
        largest = max(largest, off)
    return largest or None


def wide(numbers: Numbers) -> Numbers:
    return numbers.astype(np.float64)


def _arrays(seen: Value, wanted: Value) -> list[tuple[Numbers, Numbers]]:
    """Return the arrays of both answers in pairs; none if they are not alike but for their numbers."""
    pairs = list(zip(arrays_in(seen), arrays_in(wanted), strict=False))
    same = len(list(arrays_in(seen))) == len(list(arrays_in(wanted))) and all(
        given.shape == right.shape and given.size and given.dtype.kind == right.dtype.kind == "f"
        and np.isfinite(given).all() and np.isfinite(right).all()
        for given, right in pairs
    )  # fmt: skip
    return pairs if same else []


def _wrong_arrays(seen: Value, wanted: Value) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the pairs of arrays that differ, in float64."""
    for given, right in _arrays(seen, wanted):
        if not np.allclose(given, right, atol=1e-4, rtol=1e-5):
            yield wide(given), wide(right)


def _is_rounded_to(decimals: int, given: Numbers, right: Numbers) -> bool:
    half_a_unit = 0.5 * 10.0**-decimals + 1e-5
    near = bool((np.abs(given - right) <= half_a_unit).all())
    return near and _has_decimals(decimals, given) and bool(given.size == 1 or np.ptp(given) > 0)


def _has_decimals(decimals: int, numbers: Numbers) -> bool:
    """Return whether no number has more decimals, as far as float32 can tell."""
    small = numbers[np.abs(numbers) < _MOST_FOR_DECIMALS]
    tolerance = 1e-6 + 2e-7 * np.abs(small)
    return bool(small.size and (np.abs(small - np.round(small, decimals)) <= tolerance).all())


def _keeps(dtype: str, given: Numbers) -> bool:
    """Return whether all numbers have no more digits than a dtype of 16 bits keeps."""
    if given.size < _ENOUGH or (given == np.round(given)).all():
        return False
    narrow = given.astype(np.float32)
    if dtype == "float16":
        with np.errstate(over="ignore"):
            return bool((narrow == narrow.astype(np.float16).astype(np.float32)).all())
    return bool((narrow.view(np.uint32) & 0xFFFF == 0).all())


def _written(definitions: Iterable[Definition], patterns: Iterable[str]) -> str:
    """Return the student's own text of the first pattern that is there; else empty."""
    found = (one.written(pattern) for one in definitions for pattern in patterns)
    return next(filter(None, found), "")


def _small_numbers(definitions: Iterable[Definition]) -> Iterator[str]:
    """Yield the sums and differences with a small number, such as `x + 1e-3`."""
    for one in definitions:
        for node in nodes(one.node, ast.BinOp):
            sides = [side for side in (node.left, node.right) if isinstance(side, ast.Constant)]
            small = (side.value for side in sides if isinstance(side.value, float))
            if isinstance(node.op, ast.Add | ast.Sub) and any(
                _LEAST_MOVED <= abs(number) <= NEAR for number in small
            ):
                yield one.quote(node)
