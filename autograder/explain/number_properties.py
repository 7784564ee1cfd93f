"""Rules about wrong numbers: their shape, rows, sums, factors, offsets, rounding."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from autograder.explain.rules import Finding, Rules, finding
from autograder.values.numbers import as_array

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.values.values import Value

SHOWN_SUMS = 6
MOST_DECIMALS = 4
FACTOR_SPREAD = 1e-3

Numbers = npt.NDArray[Any]


@dataclass(frozen=True)
class Pair:
    """The first wrong array of an answer beside the right one."""

    seen: Numbers
    wanted: Numbers
    inputs: Mapping[str, Value] = field(default_factory=dict)


NUMBERS = Rules[Pair]()


def _finite(pair: Pair) -> bool:
    return bool(np.isfinite(pair.seen).all() and np.isfinite(pair.wanted).all())


def _other_shape(pair: Pair) -> bool:
    return pair.seen.shape != pair.wanted.shape and _finite(pair)


def _same_shape(pair: Pair) -> bool:
    """Hold for finite numbers of the right shape. One number alone shows nothing."""
    return pair.seen.shape == pair.wanted.shape and pair.seen.size > 1 and _finite(pair)


def _matrix(pair: Pair) -> bool:
    return pair.seen.ndim == 2 and _same_shape(pair)  # noqa: PLR2004 - rows and columns


@NUMBERS.when()
def unchanged_input(pair: Pair) -> Finding | None:
    for name, value in pair.inputs.items():
        given = as_array(value)
        if given is not None and is_close(given, pair.seen):
            return finding("unchanged_input", name=name)
    return None


@NUMBERS.when()
def transposed(pair: Pair) -> Finding | None:
    return finding("transposed") if is_close(pair.seen.T, pair.wanted) else None


@NUMBERS.when(_other_shape)
def another_shape(pair: Pair) -> Finding | None:
    """Describe a wrong shape if the numbers show its cause."""
    seen, wanted = pair.seen, pair.wanted
    if seen.size == wanted.size and is_close(seen.ravel(), wanted.ravel()):
        return finding("another_shape")
    if wanted.ndim != 2 or seen.ndim != 1:  # noqa: PLR2004 - rows and columns
        return None
    if seen.shape[0] == wanted.shape[1]:
        for row, right in enumerate(wanted):
            if is_close(seen, right):
                return finding("one_token", token=row + 1)
    if seen.shape[0] == min(wanted.shape) and is_close(seen, np.diagonal(wanted)):
        return finding("diagonal")
    return None


@NUMBERS.when(_matrix)
def rows_of_an_input(pair: Pair) -> Finding | None:
    """Notice rows of an input that came back and should not, and not the same row each time."""
    if all(is_close(row, pair.seen[0]) for row in pair.seen[1:]):
        return None
    for name, value in pair.inputs.items():
        given = as_array(value)
        picked = given is not None and _are_rows_of(given, pair.seen)
        if given is not None and picked and not _are_rows_of(given, pair.wanted):
            return finding("rows_of_an_input", name=name)
    return None


def _are_rows_of(given: Numbers, rows: Numbers) -> bool:
    return given.ndim == rows.ndim and all(
        any(is_close(row, given_row) for given_row in given) for row in rows
    )


@NUMBERS.when(_same_shape)
def dropped(pair: Pair) -> Finding | None:
    """Notice some numbers that are 0 while all others are too large by one factor, as with dropout."""
    clear = np.abs(pair.wanted) > FACTOR_SPREAD
    kept = clear & (pair.seen != 0)
    if not (clear & ~kept).any() or kept.sum() < 2:  # noqa: PLR2004 - one number has any ratio
        return None
    ratio = pair.seen[kept] / pair.wanted[kept]
    mean = float(ratio.mean())
    if np.ptp(ratio) > FACTOR_SPREAD * abs(mean) or mean < 1.01:  # noqa: PLR2004
        return None
    return finding("dropped", factor=mean)


@NUMBERS.when(_matrix)
def right_rows(pair: Pair) -> Finding | None:
    """Notice rows of the right answer in the wrong place, and equal rows."""
    seen, wanted = pair.seen, pair.wanted
    rows = [
        next((number for number, right in enumerate(wanted) if is_close(row, right)), None)
        for row in seen
    ]
    if len(rows) > 1 and len(set(rows)) == 1 and rows[0] is not None:
        return finding("one_row_for_all", token=rows[0] + 1)
    if None not in rows and sorted(rows, key=str) == list(range(len(rows))) and rows:
        return finding("rows_in_another_order")
    if all(is_close(row, seen[0]) for row in seen[1:]) and not all(
        is_close(row, wanted[0]) for row in wanted[1:]
    ):
        return finding("equal_rows")
    return None


@NUMBERS.when(_matrix)
def sums(pair: Pair) -> Finding | None:
    """Describe the sums of rows and columns if each row should sum to 1."""
    seen = pair.seen
    if not np.allclose(pair.wanted.sum(-1), 1, atol=1e-3):
        return None
    if np.allclose(seen.sum(-1), 1, atol=1e-3):
        if (seen < 0).any():
            return finding("negative_weights")
        return finding("one_key_picked") if np.isin(seen, (0.0, 1.0)).all() else None
    if np.allclose(seen.sum(0), 1, atol=1e-3):
        return finding("columns_sum_to_one")
    if np.isclose(seen.sum(), 1, atol=1e-3):
        return finding("all_sums_to_one")
    shown = ", ".join(f"{total:.3g}" for total in seen.sum(-1)[:SHOWN_SUMS])
    return finding("rows_sum_to", sums=shown)


@NUMBERS.when(_same_shape)
def one_place_off(pair: Pair) -> Finding | None:
    """Notice that only the first or only the last row, column or number is wrong."""
    seen, wanted = pair.seen, pair.wanted
    for axis, (first, second) in enumerate((("row", "rows"), ("column", "columns"))[: seen.ndim]):
        kind, others = (first, second) if seen.ndim > 1 else ("number", "numbers")
        pairs = zip(np.moveaxis(seen, axis, 0), np.moveaxis(wanted, axis, 0), strict=True)
        wrong = [
            number for number, (given, right) in enumerate(pairs) if not is_close(given, right)
        ]
        count = seen.shape[axis]
        if count > 2 and wrong in ([0], [count - 1]):  # noqa: PLR2004 - of two, either may be the odd one
            which = "first" if wrong == [0] else "last"
            return finding("one_place_off", which=which, kind=kind, others=others)
    return None


@NUMBERS.when(_same_shape)
def one_factor(pair: Pair) -> Finding | None:
    """Notice that every number is wrong by the same factor."""
    if not (np.abs(pair.wanted) > FACTOR_SPREAD).all():
        return None
    ratio = pair.seen / pair.wanted
    mean = float(ratio.mean())
    if np.ptp(ratio) > FACTOR_SPREAD * abs(mean) or abs(mean - 1) < 1e-2:  # noqa: PLR2004
        return None
    return (
        finding("wrong_sign")
        if abs(mean + 1) < FACTOR_SPREAD
        else finding("one_factor", factor=mean)
    )


@NUMBERS.when(_same_shape)
def one_amount(pair: Pair) -> Finding | None:
    """Notice that every number is wrong by the same amount."""
    off = pair.seen - pair.wanted
    amount = float(off.mean())
    if np.ptp(off) > FACTOR_SPREAD or abs(amount) < 1e-2:  # noqa: PLR2004
        return None
    return finding("one_amount", amount=abs(amount), more="more" if amount > 0 else "less")


@NUMBERS.when(_same_shape)
def rounded(pair: Pair) -> Finding | None:
    seen = pair.seen
    for decimals in range(MOST_DECIMALS):
        is_rounded = np.allclose(seen, np.round(seen, decimals), rtol=1e-6, atol=1e-6)
        near = bool((np.abs(seen - pair.wanted) <= 0.5 * 10.0**-decimals + 1e-5).all())
        if is_rounded and near and np.ptp(seen) > 0:
            return finding("rounded", decimals=decimals)
    return None


def is_close(first: Numbers, second: Numbers) -> bool:
    """Return whether both have the same shape and are equal within the tolerance."""
    if first.shape != second.shape or first.size == 0:
        return False
    return bool(np.allclose(first, second, atol=1e-4, equal_nan=False))
