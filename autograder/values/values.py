"""Plain data: the only data that worker and grader exchange.

`freeze` converts a function's result to this closed list of types, `thaw` converts values back to
inputs. No code here runs an object's own methods: containers are read with the built-in methods,
and arrays only if they have exactly a known type.
"""

from __future__ import annotations

import itertools
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy.typing as npt

ArrayKind = Literal["tensor", "parameter", "ndarray", "any"]
SequenceKind = Literal["list", "tuple", "different", "raised"]

ARRAY_KINDS: tuple[ArrayKind, ...] = ("tensor", "parameter", "ndarray", "any")
SEQUENCE_KINDS: tuple[SequenceKind, ...] = ("list", "tuple", "different", "raised")

# NumPy has no bfloat16: its numbers are stored as float32, with dtype name "bfloat16".
STORAGE: dict[str, str] = {
    name: name
    for name in (
        "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128",
    )
} | {"bfloat16": "float32"}  # fmt: skip

# NumPy computes `dtype.name` at each access, which takes longer than the rest of freezing an array.
_DTYPE_NAMES = {np.dtype(name).char: name for name in STORAGE.values()}

MAX_DEPTH = 8
MAX_ITEMS = 10_000
MAX_TEXT = 100_000
MAX_BYTES = 16 * 1024 * 1024


class TooLarge(Exception):
    """A value exceeds the protocol's limit on items, levels, characters or bytes."""


@dataclass(frozen=True, eq=False)
class Array:
    """A tensor, parameter or NumPy array: dtype name and numbers. Kind `any`: printed numbers."""

    kind: ArrayKind
    dtype: str
    data: npt.NDArray[Any]
    requires_grad: bool = False


@dataclass(frozen=True, eq=False)
class ListValue:
    """A list or tuple.

    Kind `different`: values that must all be different. Kind `raised`: the name of an exception that was raised.
    """

    kind: SequenceKind
    items: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class DictValue:
    """A dictionary, in order."""

    items: tuple[tuple[Value, Value], ...]


@dataclass(frozen=True)
class Other:
    """An object outside the closed list. Only its type's name is kept."""

    type_name: str


Value = Array | ListValue | DictValue | Other | None | bool | int | float | str | bytes


class Different(tuple[Any, ...]):
    """A probe's result for values that must all differ, such as the weights of two instances."""

    __slots__ = ()


class Raised(tuple[str, ...]):
    """A probe's result where a step must raise an exception and does: the name of the exception that is asked for."""

    __slots__ = ()


# Types are compared by identity: a student's metaclass can override ==, hash and name of a class.
_RECORDS = frozenset(map(id, (Array, ListValue, DictValue, Other)))
_KEPT = frozenset(map(id, (type(None), bool, float, bytes)))
_SEQUENCES: dict[int, SequenceKind] = {id(Different): "different", id(Raised): "raised"}
_NUMPY_TYPES = frozenset(map(id, (np.ndarray, *np.sctypeDict.values())))
_name_of = type.__dict__["__name__"].__get__


def freeze(thing: object) -> Value:
    """Return the plain data of `thing`, which may already contain plain data.

    Raises TooLarge for too many items, levels, characters or bytes.
    """
    return _Freezer(_KEPT | _RECORDS).value(thing, 0)


def freeze_answer(thing: object) -> Value:
    """Return the plain data of a student's answer. Raises TooLarge like `freeze`.

    Raises TypeError for plain data: else a step could return the record of a Parameter that it never
    made.
    """
    return _Freezer(_KEPT).value(thing, 0)


class _Freezer:
    """Freeze one object and count its items: a few nested lists can expand to a huge number.

    Args:
        kept: ids of the types whose objects stay as they are.
    """

    def __init__(self, kept: frozenset[int]) -> None:
        self.kept = kept
        self.items = 0

    def value(self, thing: Any, depth: int) -> Value:
        if depth > MAX_DEPTH:
            raise TooLarge(f"nested deeper than {MAX_DEPTH} levels")
        kind = type(thing)  # isinstance would trust the object's own __class__
        if id(kind) in self.kept or (kind is str and len(thing) <= MAX_TEXT):
            return thing  # type: ignore[no-any-return]
        if kind is int:
            return thing if -(2**63) <= thing < 2**63 else Other("int with more than 64 bits")
        if issubclass(kind, str):
            return _freeze_text(thing)
        if issubclass(kind, list):
            return self._sequence("list", list, thing, depth)
        if issubclass(kind, tuple):
            return self._sequence(_SEQUENCES.get(id(kind), "tuple"), tuple, thing, depth)
        if issubclass(kind, dict):
            return self._mapping(thing, depth)
        if id(kind) in _RECORDS:
            raise TypeError(f"{_name_of(kind)} is a record of the kit, not an answer")
        return _freeze_array(thing, kind)

    def _sequence(self, kind: SequenceKind, builtin: Any, things: object, depth: int) -> ListValue:
        """Freeze a list or tuple of any kind, such as a named tuple, without its own methods."""
        self._count(builtin.__len__(things))
        items = [self.value(item, depth + 1) for item in builtin.__iter__(things)]
        return ListValue(kind, tuple(items))

    def _mapping(self, things: dict[object, object], depth: int) -> DictValue:
        self._count(2 * dict.__len__(things))
        entries = [
            (self.value(key, depth + 1), self.value(item, depth + 1))
            for key, item in dict.items(things)
        ]
        return DictValue(tuple(entries))

    def _count(self, count: int) -> None:
        self.items += count
        if self.items > MAX_ITEMS:
            raise TooLarge(f"more than {MAX_ITEMS:,} items")


def _freeze_text(text: str) -> str:
    if str.__len__(text) > MAX_TEXT:
        raise TooLarge(f"a text of {str.__len__(text)} characters")
    return str.__str__(text)


def _freeze_array(thing: object, kind: type) -> Value:
    torch = sys.modules.get("torch")  # a tensor exists only after this import
    if torch is not None and kind is torch.Tensor:
        return _freeze_tensor("tensor", thing, torch)
    if torch is not None and kind is torch.nn.Parameter:
        return _freeze_tensor("parameter", thing, torch)
    if id(kind) in _NUMPY_TYPES:
        data = np.asarray(thing)
        dtype = _DTYPE_NAMES.get(data.dtype.char) or data.dtype.name
        if dtype not in STORAGE:
            return Other(f"ndarray of dtype {dtype}"[:200])
        return Array("ndarray", dtype, data)
    return Other(str.__getitem__(_name_of(kind), slice(200)))


def _freeze_tensor(kind: ArrayKind, tensor: Any, torch: Any) -> Value:
    dtype = str(tensor.dtype).removeprefix("torch.")
    if tensor.layout is not torch.strided or not tensor.is_cpu or dtype not in STORAGE:
        return Other(f"Tensor ({tensor.layout}, {tensor.device.type}, {dtype})"[:200])
    if tensor.nbytes > MAX_BYTES:  # an expanded tensor needs little memory until it is copied
        raise TooLarge(f"an array of {tensor.nbytes:,} bytes")
    own = torch.Tensor  # the student may have replaced this tensor's own methods
    plain = own.float(tensor) if dtype == "bfloat16" else tensor
    # force=True detaches the tensor and resolves lazy operations such as conjugation.
    data = own.numpy(own.contiguous(plain), force=True)
    return Array(kind, dtype, data, tensor.requires_grad)


def thaw(value: Value) -> Any:
    """Return the Python object for `value`, always new. Printed numbers become NumPy arrays."""
    if type(value) is str:  # the most common case
        return value
    if isinstance(value, Array):
        return _thaw_array(value)
    if isinstance(value, ListValue):
        items = [thaw(item) for item in value.items]
        return items if value.kind == "list" else tuple(items)
    if isinstance(value, DictValue):
        return {thaw(key): thaw(item) for key, item in value.items}
    if isinstance(value, Other):
        raise TypeError(f"{value} describes no object")
    return value


def _thaw_array(array: Array) -> Any:
    data = array.data.copy()
    if array.kind in ("ndarray", "any"):
        return data
    import torch  # noqa: PLC0415 - takes 1 s: import torch only for tensors

    tensor = torch.from_numpy(data)
    dtype = getattr(torch, array.dtype)
    if tensor.dtype is not dtype:
        tensor = tensor.to(dtype)
    if array.kind == "parameter":
        return torch.nn.Parameter(tensor, requires_grad=array.requires_grad)
    return tensor.requires_grad_() if array.requires_grad else tensor


def parts_in(value: Value) -> Iterator[Value]:
    """Yield a value and all that is in it, in order: of a dictionary each key before what it stands for."""
    yield value
    inner: Iterable[Value] = value.items if isinstance(value, ListValue) else ()
    if isinstance(value, DictValue):
        inner = itertools.chain.from_iterable(value.items)
    for part in inner:
        yield from parts_in(part)


def with_arrays(value: Value, change: Callable[[Array], Value]) -> Value:
    """Return a value in which each array is changed."""
    if isinstance(value, Array):
        return change(value)
    if isinstance(value, ListValue):
        return replace(value, items=tuple(with_arrays(item, change) for item in value.items))
    if isinstance(value, DictValue):
        return DictValue(tuple((key, with_arrays(item, change)) for key, item in value.items))
    return value


def identical(first: Value, second: Value) -> bool:
    """Return whether two values are bit-identical."""
    pairs = zip(parts_in(first), parts_in(second), strict=False)  # counts keep them in step
    return all(form(one) == form(other) for one, other in pairs)


def form(part: Value) -> tuple[object, ...]:
    """Return what a part of a value is, its numbers last, without what is in it."""
    if isinstance(part, Array):
        return part.kind, part.dtype, part.requires_grad, part.data.shape, part.data.tobytes()
    if isinstance(part, ListValue):
        return part.kind, len(part.items)
    if isinstance(part, DictValue):
        return (len(part.items),)
    return type(part), "nan" if part != part else part  # noqa: PLR0124 - nan is no other nan


def tensor(data: npt.ArrayLike, dtype: str = "float32") -> Array:
    """Return numbers that a step receives or returns as a `torch.Tensor`."""
    return Array("tensor", dtype, np.asarray(data, dtype=STORAGE[dtype]))


def printed(data: npt.ArrayLike) -> Array:
    """Return a document's printed numbers. They match any kind of array; NaN means not printed."""
    return Array("any", "float64", np.asarray(data, dtype=np.float64))
