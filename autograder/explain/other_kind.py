"""Describe an answer of another kind than the right one: an array for a tensor, or a list of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.values.numbers import as_array
from autograder.values.values import Array, ListValue

if TYPE_CHECKING:
    from autograder.values.values import Value

_KINDS = {"tensor": "tensor", "ndarray": "NumPy array"}


def of_another_kind(seen: Value, wanted: Value) -> str:
    """Return a sentence about an array, tensor or list that came back in place of another kind; else empty."""
    if not isinstance(wanted, Array) or wanted.kind not in _KINDS or not wanted.data.ndim:
        return ""
    asked = _KINDS[wanted.kind]
    if isinstance(seen, Array):
        if seen.kind == wanted.kind or seen.kind not in _KINDS or not seen.data.ndim:
            return ""
        same = seen.data.shape == wanted.data.shape and np.allclose(
            seen.data, wanted.data, atol=1e-4
        )
        right = " The numbers in it are right." if same else ""
        return f"This step gives back a {asked}, and yours is a {_KINDS[seen.kind]}.{right}"
    rows = [as_array(item) for item in seen.items] if isinstance(seen, ListValue) else []
    if len(rows) != len(wanted.data) or any(
        row is None or row.shape != wanted.data.shape[1:] for row in rows
    ):
        return ""
    of_tensors = "torch.tensor" if wanted.data.ndim == 1 else "torch.stack"
    join = "np.array" if wanted.kind == "ndarray" else of_tensors
    return f"This step gives back a {asked}, and yours is a list of its rows: `{join}` makes one of them."
