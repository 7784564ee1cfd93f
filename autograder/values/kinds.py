"""Decide which kinds of values are equivalent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.values.numbers import as_array
from autograder.values.values import Array, ListValue

if TYPE_CHECKING:
    from autograder.values.values import Value

# Groups of dtype kinds: signed and unsigned integers are one group.
_GROUPS = {"f": "f", "i": "i", "u": "i", "b": "b", "c": "c"}


def is_scalar(value: Value) -> bool:
    """Return whether a value is one number, plain or in an array."""
    array = as_array(value)
    return array is not None and array.ndim == 0


def is_printed(value: Value) -> bool:
    """Return whether a value has a document's printed numbers, which match any kind of array."""
    return isinstance(value, Array) and value.kind == "any"


def is_parameter(value: Value) -> bool:
    """Return whether a value is a torch Parameter."""
    return isinstance(value, Array) and value.kind == "parameter"


def is_raised(value: Value) -> bool:
    """Return whether a value says that an exception was raised."""
    return isinstance(value, ListValue) and value.kind == "raised"


def kind_fits(wanted: Value, seen: Value) -> bool:
    """Return whether the kinds match, such as tensor with tensor. Any scalar matches a scalar."""
    if not isinstance(wanted, Array) or wanted.kind == "any":
        return True
    if not isinstance(seen, Array) or (seen.data.ndim == 0 and wanted.data.ndim == 0):
        return wanted.data.ndim == 0 and wanted.kind != "parameter"
    if wanted.kind == "tensor":
        return seen.kind in ("tensor", "parameter")
    return seen.kind == wanted.kind


def dtype_fits(wanted: Value, right: np.dtype[Any], given: np.dtype[Any]) -> bool:
    """Return whether the dtypes match.

    All floating dtypes are equivalent. Integers in a tensor must have exactly the right dtype, the
    one for indexing.
    """
    if right.kind == "i" and isinstance(wanted, Array) and wanted.kind == "tensor":
        return given == right
    return _GROUPS[right.kind] == _GROUPS[given.kind]


def key_of(key: Value) -> object:
    """Return a comparable form of a dictionary's key, in which 1, 1.0 and True differ."""
    if isinstance(key, str):
        return key
    if isinstance(key, Array) and key.kind != "ndarray":  # two tensors are never the same key
        return ("other", id(key))
    array = as_array(key)
    if array is not None and array.ndim == 0:
        return (array.dtype.kind, array.item())
    return (type(key).__name__, key) if isinstance(key, bytes | None) else ("other", id(key))


def count_of_parts(seen: Value, wanted: ListValue) -> int | None:
    """Return how many parts a value unpacks to; None if it does not, or is a vector where arrays are wanted."""
    if isinstance(seen, ListValue):
        return len(seen.items)
    least = 1 if all(map(is_scalar, wanted.items)) else 2
    if not isinstance(seen, Array) or seen.data.ndim < least:
        return None
    return len(seen.data)


def unpacked(seen: Value) -> tuple[Value, ...]:
    """Return the parts of a sequence, or of a stacked tensor, which unpacks like a sequence."""
    if isinstance(seen, ListValue):
        return seen.items
    assert isinstance(seen, Array)
    parts = (np.asarray(part) for part in seen.data)
    return tuple(Array(seen.kind, seen.dtype, part, seen.requires_grad) for part in parts)
