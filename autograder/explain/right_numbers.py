"""Whether numbers stand anywhere on the way to the right answer, as they are or with their axes in another order."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from autograder.exam.questions import RightValues
    from autograder.exam.right_values import Numbers

MOST_NUMBERS = 4_000
_FEW = 4
# Each of two numbers may be 4e-6 off, on another processor.
_RELATIVE = 2e-5
_BATCHED = 4


def close(first: Numbers, second: Numbers) -> bool:
    """Return whether two arrays have one shape and the same numbers, up to rounding."""
    if first.shape != second.shape:
        return False
    finite = np.abs(second[np.isfinite(second)])
    absolute = _RELATIVE * max(1.0, float(finite.max(initial=0)))
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.allclose(first, second, rtol=_RELATIVE, atol=absolute, equal_nan=True))


def is_plain(numbers: Numbers) -> bool:
    """Return whether there are fewer than four different numbers, which say little."""
    finite = np.sort(numbers[np.isfinite(numbers)])
    return int(np.count_nonzero(np.diff(finite) > _RELATIVE)) < _FEW - 1


def factor_of(numbers: Numbers, other: Numbers) -> float | None:
    """Return by what another array was multiplied to get this one; None if by no single number."""
    if numbers.shape != other.shape:
        return None
    # The closest factor: that of a number near zero is not exact.
    factor = float((numbers * other).sum() / (other**2).sum())
    return factor if close(other * factor, numbers) else None


class RightNumbers:
    """The arrays of the right computation, of other right ways, and all their parts under an index on any axes."""

    def __init__(self, arrays: Sequence[Numbers]) -> None:
        known = _distinct(one for one in arrays if one.size <= MOST_NUMBERS)
        self._known = known.copy()
        with np.errstate(all="ignore"):
            known += [
                way for way in _other_ways(known) if not (np.isnan(way) | (way == np.inf)).any()
            ]
        # Batch and heads may stand in one axis, in either order.
        batched = [one for one in known if one.ndim >= _BATCHED]
        batched += [one.swapaxes(0, 1) for one in batched]
        known += [one.reshape(-1, *one.shape[2:]) for one in batched]
        self._parts: dict[int, list[Numbers]] = {}
        for one in _distinct(one.squeeze() for one in known):
            for part in _parts_of(one):
                self._parts.setdefault(part.size, []).append(part)
        self._sorted = {
            size: np.array([np.sort(part, axis=None) for part in parts])
            for size, parts in self._parts.items()
        }

    @functools.cached_property
    def logits(self) -> list[Numbers]:
        """What the right computation takes the softmax of, also less the largest of each row."""
        found = _logits(self._known)
        return found + [one - one.max(-1, keepdims=True) for one in found]

    @functools.cached_property
    def factors(self) -> list[float]:
        """By what the right computation multiplies arrays of several numbers."""
        several = [one for one in self._known if not is_plain(one) and np.isfinite(one).all()]
        found = []
        for one, other in itertools.permutations(several, 2):
            if not close(one, other) and (factor := factor_of(one, other)):
                found.append(abs(factor))
        return found

    def order_of(self, numbers: Numbers) -> str:
        """Return `same` if these numbers are right, `turned` if their axes have another order; empty if not right."""
        if numbers.size not in self._sorted:
            return ""
        flat = np.sort(numbers, axis=None)
        squeezed, turned = numbers.squeeze(), False
        rows = self._sorted[numbers.size]
        with np.errstate(over="ignore", invalid="ignore"):
            near = np.isclose(rows, flat, rtol=_RELATIVE, atol=_RELATIVE, equal_nan=True)
        for place in np.flatnonzero(near.all(axis=1)):
            right = self._parts[numbers.size][place]
            if close(squeezed, right):
                return "same"
            turned = turned or _is_turned(squeezed, right)
        return "turned" if turned else ""


def _distinct(arrays: Iterable[Numbers]) -> list[Numbers]:
    """Return the arrays without exact copies, which cost time only."""
    return [*{(one.shape, one.tobytes()): one for one in arrays}.values()]


def _is_turned(numbers: Numbers, right: Numbers) -> bool:
    orders = itertools.permutations(range(right.ndim)) if right.ndim == numbers.ndim else ()
    return any(close(numbers, right.transpose(order)) for order in orders)


def _parts_of(array: Numbers) -> Iterator[Numbers]:
    choices = [[slice(None), *range(size)] for size in array.shape]
    for index in itertools.product(*choices):
        part = array[index]
        if part.ndim == 0 or not is_plain(part):
            yield np.asarray(part)


@functools.lru_cache(maxsize=256)
def right_numbers(values: RightValues) -> RightNumbers:
    """Return the right numbers of a question, which all submissions share."""
    return RightNumbers(values.arrays)


# What becomes of the softmax, of the scaling and of the mask on other right ways.


def _other_ways(arrays: list[Numbers]) -> list[Numbers]:
    rows, logits = [one for one in arrays if has_rows(one)], _logits(arrays)
    ways = [way for one in logits for way in _by_hand(one, arrays)]
    shapes = {one.shape for one in logits or arrays[-1:]}
    for one in rows:  # queries or keys divided by the root, never scores
        if one.shape not in shapes:
            ways += [one / one.shape[-1] ** power for power in (0.5, 0.25)]
    for one in logits:
        if np.isinf(one).any():
            scaled = [way for other in rows if (way := _scaled_like(other, one)) is not None]
            ways += scaled + _masked_ways(one, rows + scaled)
    return ways


def _logits(arrays: Sequence[Numbers]) -> list[Numbers]:
    """Return the arrays whose softmax is one of them."""
    rows = [one for one in arrays if has_rows(one)]
    weights = [(one, softmax_of(one)) for one in rows]
    return [one for one, soft in weights if any(close(soft, other) for other in rows)]


def _scaled_like(scores: Numbers, logits: Numbers) -> Numbers | None:
    """Return scores multiplied by the factor that masked logits have; None if these are not made of them."""
    seen = np.isfinite(logits)
    if scores.shape != logits.shape or not np.isfinite(scores).all():
        return None
    factor = factor_of(logits[seen], scores[seen])
    return None if factor is None else scores * factor


def has_rows(array: Numbers) -> bool:
    """Return whether an array has rows of numbers whose softmax can be taken."""
    if not array.ndim or array.shape[-1] < 2 or np.isnan(array).any():  # noqa: PLR2004 - a row
        return False
    return bool((array.max(-1) > -np.inf).all())


def softmax_of(scores: Numbers) -> Numbers:
    """Return the softmax of each row."""
    exps = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(exps / exps.sum(-1, keepdims=True))


def _by_hand(scores: Numbers, mixed: list[Numbers]) -> list[Numbers]:
    """Return the ways of a softmax by hand. What it mixes may be divided by the sums at the end."""
    ways = [scores.max(-1)]
    for most in (np.asarray(0.0), scores.max(-1, keepdims=True), scores.max()):
        exps = np.exp(scores - most)
        total = exps.sum(-1, keepdims=True)
        ways += [scores - most, exps, np.log(exps / total), total[..., 0], np.log(total[..., 0])]
        ways += [one * total for one in mixed if one.shape[:-1] == scores.shape[:-1]]
    return ways


def _masked_ways(scores: Numbers, rows: list[Numbers]) -> list[Numbers]:
    """Return the ways of a mask: before the scaling, or by multiplication."""
    gone, ways = np.isinf(scores), []
    for one in rows:
        if one.shape != scores.shape or not np.isfinite(one).all():
            continue
        hidden = np.where(gone, -np.inf, one)
        ways.append(hidden)
        if close(hidden, scores):
            exps = [softmax_of(one), np.exp(one), np.exp(one - one.max(-1, keepdims=True))]
            ways += [way for exp in exps for way in (exp * ~gone, (exp * ~gone).sum(-1))]
            ways += _by_hand(one, rows)
    return ways
