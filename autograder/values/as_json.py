"""Convert values to JSON and back. Every number keeps its exact bits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograder.errors import AssignmentError
from autograder.values.values import (
    ARRAY_KINDS,
    SEQUENCE_KINDS,
    STORAGE,
    Array,
    DictValue,
    ListValue,
    Other,
    Value,
)


def dump_value(value: Value) -> Any:
    """Return a value as JSON. Numbers have the fewest digits that restore the same bits.

    Raises AssignmentError for bytes and complex numbers, which no question needs.
    """
    match value:
        case Array() if value.data.dtype.kind != "c":
            entry: dict[str, Any] = {
                "array": value.kind,
                "dtype": value.dtype,
                "shape": list(value.data.shape),
            }
            if value.requires_grad:
                entry["requires_grad"] = True
            return entry | {"data": [_shortest(number) for number in value.data.ravel()]}
        case ListValue():
            return {"sequence": value.kind, "items": [dump_value(item) for item in value.items]}
        case DictValue():
            return {"dict": [[dump_value(key), dump_value(item)] for key, item in value.items]}
        case Other():
            return {"other": value.type_name}
        case float() if not math.isfinite(value):
            return {"float": str(value)}
        case None | bool() | int() | float() | str():
            return value
    raise AssignmentError(
        f"{value!r} has no form in expected.json; let the probe return something else."
    )


def load_value(entry: Any) -> Value:
    """Return the value written by `dump_value`.

    Raises KeyError, ValueError or TypeError for anything else.
    """
    if not isinstance(entry, dict):
        if not isinstance(entry, bool | int | float | str | None):
            raise TypeError(entry)
        return entry
    if (
        entry.get("array", "any") not in ARRAY_KINDS
        or entry.get("sequence", "list") not in SEQUENCE_KINDS
    ):
        raise ValueError(entry)
    if "array" in entry:
        numbers = [
            float(number or "nan") if _special(number) else number for number in entry["data"]
        ]
        data = np.array(numbers, dtype=STORAGE[entry["dtype"]]).reshape(entry["shape"])
        return Array(entry["array"], entry["dtype"], data, entry.get("requires_grad", False))
    if "sequence" in entry:
        return ListValue(entry["sequence"], tuple(load_value(item) for item in entry["items"]))
    if "other" in entry:
        return Other(entry["other"])
    if "float" in entry:
        return float(entry["float"])
    return DictValue(tuple((load_value(key), load_value(item)) for key, item in entry["dict"]))


def _shortest(number: Any) -> Any:
    if number.dtype.kind != "f":
        return number.item()
    if np.isfinite(number):
        return float(str(number))
    return None if np.isnan(number) else str(number)


def _special(number: Any) -> bool:
    """Return whether an entry is None (NaN) or a string (inf), which JSON has no number for."""
    return number is None or isinstance(number, str)
