"""The functions that edits put into the reference. They take tensors and arrays."""

from __future__ import annotations

from typing import Any

import numpy as np


def _exponentials(x: Any) -> Any:
    return np.exp(x) if isinstance(x, np.ndarray) else x.exp()


def _softmax(x: Any) -> Any:
    """Return the softmax of each row."""
    return _shares(_exponentials(x - x.max()))


def _shares(x: Any) -> Any:
    """Return each number divided by the sum of its row."""
    return x / x.sum(-1, keepdims=True)


def _sums_not_kept(x: Any) -> Any:
    """Return a softmax whose sums stand in a row, in the place of a column."""
    exponentials = _exponentials(x)
    return exponentials / exponentials.sum(-1)


def _unit(x: Any) -> Any:
    """Return rows of length 1."""
    return x / (x**2).sum(-1, keepdims=True) ** 0.5


def _masked(x: Any) -> Any:
    """Return scores in which no key comes after its query."""
    later = np.triu(np.ones(x.shape), 1) > 0
    if isinstance(x, np.ndarray):
        return np.where(later, -np.inf, x)
    return x.masked_fill(x.new_tensor(later) > 0, -np.inf)


def _turned(mapping: dict[Any, Any]) -> dict[Any, Any]:
    """Return a dictionary from values to keys."""
    return {value: key for key, value in mapping.items()}


FUNCTIONS = {
    function.__name__: function
    for function in (_softmax, _shares, _sums_not_kept, _unit, _masked, _turned)
}
