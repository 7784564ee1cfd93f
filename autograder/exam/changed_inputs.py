"""Change the inputs of a question, always in the same way.

*Drawn anew* is one input: if the answer stays the same, and also with this input *far off*, it does not depend on it.
*Shaken* are the last digits
of all inputs: what then changes in an answer is rounding.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from autograder.values.values import Array, DictValue, ListValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import numpy.typing as npt

    from autograder.values.values import Value

    Path = tuple[str, ...]

# A float32 has 24 binary digits; the inputs are changed by four units of the last one.
_SHAKE = 4 * 2.0**-23

V = TypeVar("V", bound="Value")


def paths(inputs: Mapping[str, Value]) -> Iterator[Path]:
    """Yield the inputs that can be drawn anew: the name of each, and for a dict of arrays the key too."""
    for name, value in inputs.items():
        if isinstance(value, DictValue):
            for key, part in value.items:
                if (
                    isinstance(key, str)
                    and isinstance(part, Array)
                    and _drawn_anew(key, part) is not None
                ):
                    yield (name, key)
        elif _drawn_anew(name, value) is not None:
            yield (name,)


def drawn_anew(inputs: Mapping[str, Value], path: Path) -> dict[str, Value]:
    """Return the inputs with the one at `path` drawn anew, always in the same way."""
    return _with_another(inputs, path, _drawn_anew)


def far_off(inputs: Mapping[str, Value], path: Path) -> dict[str, Value]:
    """Return the inputs with another draw of the one at `path`. A whole number is much larger than it was."""
    return _with_another(inputs, path, _far_off)


def _with_another(
    inputs: Mapping[str, Value], path: Path, another: Callable[[str, Value], Value]
) -> dict[str, Value]:
    name, *keys = path
    value = inputs[name]
    if keys:
        assert isinstance(value, DictValue)
        items = tuple(
            (key, another(keys[0], part) if key == keys[0] else part) for key, part in value.items
        )
        return {**inputs, name: DictValue(items)}
    return {**inputs, name: another(name, value)}


def _far_off(name: str, value: Value) -> Value:
    if isinstance(value, int):
        return 4 * value + 1  # int(value ** 0.5) differs too
    return _drawn_anew(name, _drawn_anew(name, value))


def _drawn_anew(name: str, value: Value) -> Value:
    """Return another value of the same type and shape; None if there is none."""
    match value:
        case Array() if value.data.dtype.kind == "f" and value.data.size:
            return replace(value, data=_normal(name, value.data))
        case Array() if value.data.dtype.kind in "iu" and value.data.size > 1:
            return replace(value, data=np.roll(value.data, 1))
        case bool():
            return None
        case int():
            return value + 1
        case float():
            return 1.5 * value + 1
        case str():
            return " ".join(value.split()[::-1])
    return None


def _normal(name: str, data: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return normal numbers as large as `data`, and positive if these are. inf and nan stay."""
    finite = data[np.isfinite(data)]
    seed = hashlib.sha256(name.encode() + data.tobytes()).digest()
    drawn = np.random.default_rng(list(seed)).normal(size=data.shape) * (
        float(np.abs(finite).mean() if finite.size else 0.0) + 0.1
    )
    drawn = np.abs(drawn) if (finite >= 0).all() else drawn
    return np.where(np.isfinite(data), np.round(drawn, 4), data).astype(data.dtype)


def shaken(inputs: Mapping[str, Value]) -> dict[str, Value]:
    """Return the inputs with changed last digits. The change is deterministic."""
    return {name: _shaken(value) for name, value in inputs.items()}


def _shaken(value: V) -> V:
    match value:
        case Array() if value.data.dtype.kind == "f":
            up = np.arange(value.data.size).reshape(value.data.shape) * 7 % 5 < 2  # noqa: PLR2004
            moved = value.data * np.where(up, 1 + _SHAKE, 1 - _SHAKE)
            return replace(value, data=moved.astype(value.data.dtype))
        case ListValue():
            return replace(value, items=tuple(_shaken(item) for item in value.items))
        case DictValue():
            items = tuple((key, _shaken(item)) for key, item in value.items)
            return replace(value, items=items)
    return value
