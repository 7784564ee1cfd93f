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
    match entry:
        case {"array": kind, "dtype": dtype, "shape": shape, "data": data} if kind in ARRAY_KINDS:
            numbers = np.array([*map(_number, data)], dtype=STORAGE[dtype]).reshape(shape)
            return Array(kind, dtype, numbers, entry.get("requires_grad", False))
        case {"sequence": kind, "items": items} if kind in SEQUENCE_KINDS:
            return ListValue(kind, tuple(map(load_value, items)))
        case {"dict": items}:
            return DictValue(tuple((load_value(key), load_value(item)) for key, item in items))
        case {"other": name}:
            return Other(name)
        case {"float": number}:
            return float(number)
        case None | bool() | int() | float() | str():
            return entry
    raise ValueError(entry)


def _shortest(number: Any) -> Any:
    if number.dtype.kind != "f":
        return number.item()
    if np.isfinite(number):
        return float(str(number))
    return None if np.isnan(number) else str(number)


def _number(entry: Any) -> Any:
    """Return the number of an entry; None stands for NaN and a text for inf, which JSON has no number for."""
    return float(entry or "nan") if entry is None or isinstance(entry, str) else entry
