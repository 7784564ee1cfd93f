"""Plain data: everything that may cross from the worker to the grader, and back.

`freeze` turns what a function returned into this closed list of types, `thaw` makes inputs of it again. Nothing here
runs a method that the object brought along: containers are read by the built-in ways, arrays only if of an exact type.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

ArrayKind = Literal["tensor", "parameter", "ndarray", "any"]
SequenceKind = Literal["list", "tuple", "different"]

ARRAY_KINDS: tuple[ArrayKind, ...] = ("tensor", "parameter", "ndarray", "any")
SEQUENCE_KINDS: tuple[SequenceKind, ...] = ("list", "tuple", "different")

# bfloat16 has no NumPy counterpart: its numbers travel as float32 under its own name.
STORAGE: dict[str, str] = {
    name: name
    for name in (
        "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128",
    )
} | {"bfloat16": "float32"}  # fmt: skip

# A dtype's own `name` is made anew at each look, which takes longer than all else that is done with an array.
_DTYPE_NAMES = {np.dtype(name).char: name for name in STORAGE.values()}

MAX_DEPTH = 8
MAX_ITEMS = 10_000
MAX_TEXT = 100_000
MAX_BYTES = 16 * 1024 * 1024


class TooLarge(Exception):
    """A value with more items, levels, characters or bytes than the protocol carries."""


@dataclass(frozen=True, eq=False)
class Array:
    """A tensor, parameter or NumPy array: its dtype's name and its numbers. Kind `any` stands for printed numbers."""

    kind: ArrayKind
    dtype: str
    data: npt.NDArray[Any]
    requires_grad: bool = False


@dataclass(frozen=True, eq=False)
class Sequence:
    """A list or tuple, or (kind `different`) values of which no two may be equal."""

    kind: SequenceKind
    items: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class Mapping:
    """A dictionary, in its order."""

    items: tuple[tuple[Value, Value], ...]


@dataclass(frozen=True)
class Other:
    """Something outside the closed list; only what it is called."""

    type_name: str


Value = Array | Sequence | Mapping | Other | None | bool | int | float | str | bytes


class Different(tuple[Any, ...]):
    """What a probe returns for values that must differ from each other, such as the weights of two instances."""

    __slots__ = ()


def freeze(thing: object) -> Value:
    """The plain data of `thing`, which may hold such data already.

    Raises TooLarge for what has too many items, levels, characters or bytes.
    """
    return _Freezer().value(thing, 0)


# Types are told apart by identity: ==, hash and name of a student's class may be its metaclass's own.
_KEPT = frozenset(map(id, (type(None), bool, float, bytes, Array, Sequence, Mapping, Other)))
_NUMPY_TYPES = frozenset(map(id, (np.ndarray, *np.sctypeDict.values())))
_name_of = type.__dict__["__name__"].__get__


class _Freezer:
    """Counts what it has seen of one object: a few lists that hold each other many times over have no end in sight."""

    def __init__(self) -> None:
        self.items = 0

    def value(self, thing: Any, depth: int) -> Value:
        if depth > MAX_DEPTH:
            raise TooLarge(f"nested deeper than {MAX_DEPTH} levels")
        kind = type(thing)  # isinstance would ask the object itself
        if id(kind) in _KEPT or (kind is str and len(thing) <= MAX_TEXT):
            return thing  # type: ignore[no-any-return]
        if kind is int:
            return thing if -(2**63) <= thing < 2**63 else Other("int with more than 64 bits")
        if issubclass(kind, str):
            return _freeze_text(thing)
        if issubclass(kind, list):
            return self._sequence("list", list, thing, depth)
        if issubclass(kind, tuple):
            return self._sequence(
                "different" if kind is Different else "tuple", tuple, thing, depth
            )
        if issubclass(kind, dict):
            return self._mapping(thing, depth)
        return _freeze_array(thing, kind)

    def _sequence(self, kind: SequenceKind, builtin: Any, things: object, depth: int) -> Sequence:
        """A list or tuple of any kind, such as a named tuple; its own methods are not asked."""
        self._count(builtin.__len__(things))
        items = [self.value(item, depth + 1) for item in builtin.__iter__(things)]
        return Sequence(kind, tuple(items))

    def _mapping(self, things: dict[object, object], depth: int) -> Mapping:
        self._count(2 * dict.__len__(things))
        entries = [
            (self.value(key, depth + 1), self.value(item, depth + 1))
            for key, item in dict.items(things)
        ]
        return Mapping(tuple(entries))

    def _count(self, count: int) -> None:
        self.items += count
        if self.items > MAX_ITEMS:
            raise TooLarge(f"more than {MAX_ITEMS:,} items")


def _freeze_text(text: str) -> str:
    if str.__len__(text) > MAX_TEXT:
        raise TooLarge(f"a text of {str.__len__(text)} characters")
    return str.__str__(text)


def _freeze_array(thing: object, kind: type) -> Value:
    torch = sys.modules.get("torch")  # whoever has a tensor has imported it already
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
    if tensor.nbytes > MAX_BYTES:  # an expanded tensor has few numbers until somebody copies it
        raise TooLarge(f"an array of {tensor.nbytes:,} bytes")
    own = torch.Tensor  # this very tensor may have been given other methods
    plain = own.float(tensor) if dtype == "bfloat16" else tensor
    # By force: out of its graph, and with what torch had only put off, such as a conjugate.
    data = own.numpy(own.contiguous(plain), force=True)
    return Array(kind, dtype, data, tensor.requires_grad)


def thaw(value: Value) -> Any:
    """The Python object that `value` describes, new at each call. Printed numbers come back as NumPy arrays."""
    if type(value) is str:  # as most are
        return value
    if isinstance(value, Array):
        return _thaw_array(value)
    if isinstance(value, Sequence):
        items = [thaw(item) for item in value.items]
        return items if value.kind == "list" else tuple(items)
    if isinstance(value, Mapping):
        return {thaw(key): thaw(item) for key, item in value.items}
    if isinstance(value, Other):
        raise TypeError(f"{value} describes no object")
    return value


def _thaw_array(array: Array) -> Any:
    data = array.data.copy()
    if array.kind in ("ndarray", "any"):
        return data
    import torch  # noqa: PLC0415 - a second of import that only those pay who need tensors

    tensor = torch.from_numpy(data)
    dtype = getattr(torch, array.dtype)
    if tensor.dtype is not dtype:
        tensor = tensor.to(dtype)
    if array.kind == "parameter":
        return torch.nn.Parameter(tensor, requires_grad=array.requires_grad)
    return tensor.requires_grad_() if array.requires_grad else tensor


def identical(one: Value, other: Value) -> bool:
    """Whether two values are the same to the bit."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Array) and isinstance(other, Array):
        same = (one.kind, one.dtype, one.requires_grad, one.data.shape) == (
            other.kind, other.dtype, other.requires_grad, other.data.shape,
        )  # fmt: skip
        return same and one.data.tobytes() == other.data.tobytes()
    if isinstance(one, Sequence) and isinstance(other, Sequence):
        pairs = zip(one.items, other.items, strict=False)
        same = (one.kind, len(one.items)) == (other.kind, len(other.items))
        return same and all(identical(*pair) for pair in pairs)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return identical(_flat(one), _flat(other))
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return one == other


def _flat(mapping: Mapping) -> Sequence:
    return Sequence("list", tuple(part for entry in mapping.items for part in entry))


def tensor(data: npt.ArrayLike, dtype: str = "float32") -> Array:
    """Numbers that a step receives or returns as a `torch.Tensor`."""
    return Array("tensor", dtype, np.asarray(data, dtype=STORAGE[dtype]))


def printed(data: npt.ArrayLike) -> Array:
    """Numbers as a document prints them: any kind of array is right. Entries that are not printed are NaN."""
    return Array("any", "float64", np.asarray(data, dtype=np.float64))
