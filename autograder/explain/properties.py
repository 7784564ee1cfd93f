"""Describe the properties of a wrong answer that shows no known mistake.

A cause that the numbers do not prove is introduced by "perhaps".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.compare import agrees
from autograder.values.numbers import as_array
from autograder.values.values import Mapping, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping as AbstractMapping

    import numpy.typing as npt

    from autograder.values.values import Value

    Numbers = npt.NDArray[Any]

SHOWN_SUMS = 6
MOST_DECIMALS = 4
FACTOR_SPREAD = 1e-3


@dataclass(frozen=True)
class Evidence:
    """Observations of a step whose answer is wrong.

    Attributes:
        seen: the student's answer.
        wanted: the right answer. It is described, never shown.
        others: the answers to other drawn cases.
        right_on_documents: whether the documents' own inputs give right answers; None if unknown.
        documents: the right answers for the documents' inputs.
        changed: the call changed its inputs in place.
    """

    seen: Value
    wanted: Value
    others: tuple[Value, ...] = ()
    right_on_documents: bool | None = None
    documents: tuple[Value, ...] = ()
    changed: bool = False


def property_of(evidence: Evidence, inputs: AbstractMapping[str, Value]) -> str:
    """Return the most specific property of a wrong answer to these inputs; empty if there is none."""
    seen, wanted = evidence.seen, evidence.wanted
    return (
        _of_the_whole(seen, wanted, evidence)
        or _part_of_what_came(seen, wanted)
        or _of_the_numbers(seen, wanted, inputs)
        or _only_documented(evidence)
    )


def _of_the_whole(seen: Value, wanted: Value, evidence: Evidence) -> str:
    if any(agrees(right, seen) for right in evidence.documents):
        return (
            "These are the numbers that the documents print, but the inputs are others here: the answer has to be "
            "computed from what the step is given."
        )
    if _has_numbers(seen) and any(agrees(other, seen) for other in evidence.others):
        return "The same numbers came back for other inputs: the answer does not depend on what the step is given."
    if evidence.changed:
        return "Your code changes its input in place: after the call the caller's own tensor holds other numbers."
    if _two_calls_differ(seen, wanted):
        return (
            "Two calls with the same input gave different results. Perhaps something random is drawn at each call, "
            "or the first call changes the input or the weights."
        )
    return ""


def _only_documented(evidence: Evidence) -> str:
    if not evidence.right_on_documents:
        return ""
    return (
        "With the documents' own inputs your answer is right, so something in it fits only those. Perhaps a size or "
        "a number is written into the code that should come from the arguments."
    )


def _two_calls_differ(seen: Value, wanted: Value) -> bool:
    """Whether two calls that should give the same answer gave different ones."""
    if not isinstance(seen, Sequence) or not isinstance(wanted, Sequence):
        return False
    if len(seen.items) != 2 or len(wanted.items) != 2:  # noqa: PLR2004
        return False
    return agrees(*wanted.items) and not agrees(*seen.items)


def _part_of_what_came(seen: Value, wanted: Value) -> str:
    """Say so if the right answer is one part of a larger answer."""
    if isinstance(wanted, Sequence) and isinstance(seen, Sequence):
        if len(wanted.items) == len(seen.items):
            pairs = zip(seen.items, wanted.items, strict=True)
            return next((words for pair in pairs if (words := _part_of_what_came(*pair))), "")
        return ""
    if as_array(wanted) is None:
        return ""
    if isinstance(seen, Sequence):
        for number, part in enumerate(seen.items):
            if agrees(wanted, part):
                return (
                    f"Number {number + 1} of what came back is right on its own: return only that."
                )
    if isinstance(seen, Mapping):
        for key, part in seen.items:
            if agrees(wanted, part):
                return f"What stands under {key!r:.40} is right on its own: return only that."
    return ""


def _of_the_numbers(seen: Value, wanted: Value, inputs: AbstractMapping[str, Value]) -> str:
    """Describe the first wrong part."""
    for given, right in _parts(seen, wanted):
        if given.dtype.kind != "f" or right.dtype.kind != "f" or not np.isfinite(right).all():
            continue
        if given.shape == right.shape and np.allclose(given, right, atol=1e-4):
            continue
        with np.errstate(all="ignore"):
            return _first_that_holds(given.astype(np.float64), right.astype(np.float64), inputs)
    return ""


def _parts(seen: Value, wanted: Value) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield the pairs of arrays of both values."""
    given, right = as_array(seen), as_array(wanted)
    if given is not None and right is not None:
        yield given, right
    if isinstance(seen, Sequence) and isinstance(wanted, Sequence):
        for pair in zip(seen.items, wanted.items, strict=False):
            yield from _parts(*pair)


def _first_that_holds(seen: Numbers, wanted: Numbers, inputs: AbstractMapping[str, Value]) -> str:
    for name, value in inputs.items():
        given = as_array(value)
        if given is not None and _close(given, seen):
            return f"It is `{name}` unchanged."
    if _close(seen.T, wanted):
        return "It is the transpose of what is right: rows and columns are swapped."
    if not np.isfinite(seen).all():
        return ""
    return _shape_words(seen, wanted) or _picked(seen, wanted, inputs) or _value_words(seen, wanted)


def _picked(seen: Numbers, wanted: Numbers, inputs: AbstractMapping[str, Value]) -> str:
    """Say so if rows of an input came back that should not, and not the same row each time."""
    if seen.ndim != 2 or seen.shape != wanted.shape:  # noqa: PLR2004 - rows and columns
        return ""
    if all(_close(row, seen[0]) for row in seen[1:]):
        return ""
    for name, value in inputs.items():
        given = as_array(value)
        if given is not None and _are_rows_of(given, seen) and not _are_rows_of(given, wanted):
            return f"Each row is one of the rows of `{name}`, as it came in."
    return ""


def _are_rows_of(given: Numbers, rows: Numbers) -> bool:
    return given.ndim == rows.ndim and all(any(_close(row, one) for one in given) for row in rows)


def _shape_words(seen: Numbers, wanted: Numbers) -> str:
    """Describe a wrong shape if the numbers show its cause."""
    if seen.shape == wanted.shape:
        return ""
    if seen.size == wanted.size and _close(seen.ravel(), wanted.ravel()):
        return "The numbers are right; only their shape is not."
    if wanted.ndim != 2 or seen.ndim != 1:  # noqa: PLR2004 - rows and columns
        return ""
    if seen.shape[0] == wanted.shape[1]:
        for row, right in enumerate(wanted):
            if _close(seen, right):
                return f"This is the answer for token {row + 1} only; one row for each token was expected."
    if seen.shape[0] == min(wanted.shape) and _close(seen, np.diagonal(wanted)):
        return "This is the diagonal of what is right: each row met only the one at its own place."
    return ""


def _value_words(seen: Numbers, wanted: Numbers) -> str:
    if seen.shape != wanted.shape or seen.size < 2:  # noqa: PLR2004 - one number shows nothing
        return ""
    if words := _dropped(seen, wanted):
        return words
    if seen.ndim == 2 and (words := _rows(seen, wanted)):  # noqa: PLR2004 - rows and columns
        return words
    return _ratio(seen, wanted) or _offset(seen, wanted) or _rounding(seen, wanted)


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
        next((number for number, right in enumerate(wanted) if _close(row, right)), None)
        for row in seen
    ]
    if len(rows) > 1 and len(set(rows)) == 1 and rows[0] is not None:
        return f"Every row is the answer for token {rows[0] + 1}: the same one was used for all."
    if None not in rows and sorted(rows, key=str) == list(range(len(rows))) and rows:
        return "The rows are right, but in another order."
    if all(_close(row, seen[0]) for row in seen[1:]) and not all(
        _close(row, wanted[0]) for row in wanted[1:]
    ):
        return "All rows are equal: each token got the same answer."
    return _sums(seen, wanted)


def _sums(seen: Numbers, wanted: Numbers) -> str:
    """Describe the sums of rows and columns if each row should sum to 1."""
    if not np.allclose(wanted.sum(-1), 1, atol=1e-3):
        return ""
    if np.allclose(seen.sum(-1), 1, atol=1e-3):
        if (seen < 0).any():
            return "Each row sums to 1, but some weights are negative. Perhaps there was no exponential."
        if np.isin(seen, (0.0, 1.0)).all():
            return "Each row holds a single 1, and 0 everywhere else: one is picked, and nothing is shared out."
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
        return "Every number has the wrong sign; apart from that they are right."
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


def _close(one: Numbers, other: Numbers) -> bool:
    """Whether both have the same shape and are equal within the tolerance."""
    if one.shape != other.shape or one.size == 0:
        return False
    return bool(np.allclose(one, other, atol=1e-4, equal_nan=False))


def _has_numbers(value: Value) -> bool:
    """Whether the value contains float or complex arrays: other inputs would change their numbers."""
    array = as_array(value)
    if array is not None:
        return array.size > 0 and array.dtype.kind in "fc"
    return isinstance(value, Sequence) and any(map(_has_numbers, value.items))
