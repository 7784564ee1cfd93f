"""Describe wrong numbers of the right shape: rows, sums, factors, offsets, rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

SHOWN_SUMS = 6
MOST_DECIMALS = 4
FACTOR_SPREAD = 1e-3

Numbers = npt.NDArray[Any]


def value_words(seen: Numbers, wanted: Numbers) -> str:
    """Describe wrong numbers of the right shape; empty if nothing is known of them."""
    if seen.shape != wanted.shape or seen.size < 2:  # noqa: PLR2004 - one number shows nothing
        return ""
    if words := _dropped(seen, wanted):
        return words
    if seen.ndim == 2 and (words := _rows(seen, wanted)):  # noqa: PLR2004 - rows and columns
        return words
    return (
        _some_rows(seen, wanted)
        or _ratio(seen, wanted)
        or _offset(seen, wanted)
        or _rounding(seen, wanted)
    )


def _dropped(seen: Numbers, wanted: Numbers) -> str:
    """Say so if some numbers are 0 and all others too large by one factor, as with dropout."""
    clear = np.abs(wanted) > FACTOR_SPREAD
    kept = clear & (seen != 0)
    if not (clear & ~kept).any() or kept.sum() < 2:  # noqa: PLR2004 - one number has any ratio
        return ""
    ratio = seen[kept] / wanted[kept]
    mean = float(ratio.mean())
    if np.ptp(ratio) > FACTOR_SPREAD * abs(mean) or mean < 1.01:  # noqa: PLR2004
        return ""
    return f"Some numbers are 0, and the others are {mean:.3g} times the right ones. Perhaps there is dropout."


def _rows(seen: Numbers, wanted: Numbers) -> str:
    rows = [
        next((number for number, right in enumerate(wanted) if is_close(row, right)), None)
        for row in seen
    ]
    if len(rows) > 1 and len(set(rows)) == 1 and rows[0] is not None:
        return (
            f"Every row is the answer for token {rows[0] + 1}: one token's answer was used for all."
        )
    if None not in rows and sorted(rows, key=str) == list(range(len(rows))) and rows:
        return "The rows are right, but in another order."
    if all(is_close(row, seen[0]) for row in seen[1:]) and not all(
        is_close(row, wanted[0]) for row in wanted[1:]
    ):
        return "All rows are equal: each token got the same answer."
    return _sums(seen, wanted)


def _some_rows(seen: Numbers, wanted: Numbers) -> str:
    """Say so if only the first or only the last row, column or number is wrong."""
    for axis, (first, second) in enumerate((("row", "rows"), ("column", "columns"))[: seen.ndim]):
        kind, others = (first, second) if seen.ndim > 1 else ("number", "numbers")
        pairs = zip(np.moveaxis(seen, axis, 0), np.moveaxis(wanted, axis, 0), strict=True)
        wrong = [
            number for number, (given, right) in enumerate(pairs) if not is_close(given, right)
        ]
        count = seen.shape[axis]
        if count > 2 and wrong in ([0], [count - 1]):  # noqa: PLR2004 - of two, either may be the odd one
            which = "first" if wrong == [0] else "last"
            return (
                f"Only the {which} {kind} is wrong; all other {others} are right. Perhaps a loop starts or ends one "
                "place off."
            )
    return ""


def _sums(seen: Numbers, wanted: Numbers) -> str:
    """Describe the sums of rows and columns if each row should sum to 1."""
    if not np.allclose(wanted.sum(-1), 1, atol=1e-3):
        return ""
    if np.allclose(seen.sum(-1), 1, atol=1e-3):
        if (seen < 0).any():
            return "Each row sums to 1, but some weights are negative. Perhaps there was no exponential."
        if np.isin(seen, (0.0, 1.0)).all():
            return "Each row holds a single 1, and 0 everywhere else: one key is picked, and the others have no share."
        return ""
    if np.allclose(seen.sum(0), 1, atol=1e-3):
        return "Each column sums to 1, but each row should."
    if np.isclose(seen.sum(), 1, atol=1e-3):
        return "Everything together sums to 1, but each row should."
    sums = ", ".join(f"{total:.3g}" for total in seen.sum(-1)[:SHOWN_SUMS])
    return f"Each row should sum to 1; yours sum to {sums}."


def _ratio(seen: Numbers, wanted: Numbers) -> str:
    """Say so if every number is wrong by the same factor."""
    if not (np.abs(wanted) > FACTOR_SPREAD).all():
        return ""
    ratio = seen / wanted
    mean = float(ratio.mean())
    if np.ptp(ratio) > FACTOR_SPREAD * abs(mean) or abs(mean - 1) < 1e-2:  # noqa: PLR2004
        return ""
    if abs(mean + 1) < FACTOR_SPREAD:
        return "Every number has the wrong sign. Otherwise they are right."
    return f"Every number is {mean:.3g} times the right one."


def _offset(seen: Numbers, wanted: Numbers) -> str:
    """Say so if every number is wrong by the same amount."""
    off = seen - wanted
    if np.ptp(off) > FACTOR_SPREAD or abs(float(off.mean())) < 1e-2:  # noqa: PLR2004
        return ""
    more = "more" if off.mean() > 0 else "less"
    return f"Every number is {abs(float(off.mean())):.3g} {more} than the right one."


def _rounding(seen: Numbers, wanted: Numbers) -> str:
    for decimals in range(MOST_DECIMALS):
        is_rounded = np.allclose(seen, np.round(seen, decimals), rtol=1e-6, atol=1e-6)
        near = bool((np.abs(seen - wanted) <= 0.5 * 10.0**-decimals + 1e-5).all())
        if is_rounded and near and np.ptp(seen) > 0:
            return f"The numbers are right, but rounded to {decimals} decimals: return them as they are."
    return ""


def is_close(first: Numbers, second: Numbers) -> bool:
    """Return whether both have the same shape and are equal within the tolerance."""
    if first.shape != second.shape or first.size == 0:
        return False
    return bool(np.allclose(first, second, atol=1e-4, equal_nan=False))
