"""Read records from plain data, and write them: one reader for JSON and for what a worker sends.

A record is a dataclass. Its annotations say the form of its data: texts, numbers, enums, literals, tuples (lists in
JSON), dicts, unions and other records; where numbers come by wire, also values and arrays.

    read(Feedback, {"outcome": "wrong"})        the record; RecordError says where the data differ
    plain(feedback)                             dicts, lists, texts and numbers
    from_json(Run, data), to_json(run)          the same from and to the bytes of a file

A field is read only if the record has it, and may be missing only if it has a default. A bool is no number; a number is
finite.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import itertools
import json
import math
import types
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, Union

import numpy as np

from autograder.values.values import Array, DictValue, ListValue, Other, Value

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
Clean = Callable[[str], str] | None
# For some records: the fields that data must have, no more and no fewer, and what makes the texts in each fit to be
# shown; None leaves them as they are.
Forms = Mapping[type, Mapping[str, Clean]]

_NAMES: dict[Any, str] = {str: "text", int: "whole number", bool: "bool", bytes: "bytes"}
_PLAIN = frozenset(
    {str, int, float, bool, types.NoneType, np.ndarray, Array, ListValue, DictValue, Other}
)
_SHOWN = 40  # characters of a name that nobody knows


class RecordError(ValueError):
    """Data that have another form than their record; the text begins with the names of the fields around them."""


class _Field(NamedTuple):
    kind: Any
    clean: Clean
    required: bool


class Reader:
    """Reads records of any kind.

    Args:
        forms: the records of which the data must have exactly these fields.
        most: how many items a list may have.
    """

    def __init__(self, forms: Forms | None = None, *, most: float = math.inf) -> None:
        self._forms = forms or {}
        self._most = most
        self._known: dict[type, dict[str, _Field]] = {}

    def read(self, kind: type[T], data: object) -> T:
        """Return the data as a `kind`: a record, or a type that a field may have. Raises RecordError."""
        record: T = self._value(kind, data, None)
        return record

    def _value(self, kind: Any, data: Any, clean: Clean) -> Any:
        """Return data of a type. Texts in it are cleaned."""
        if kind in _NAMES:
            if type(data) is not kind:
                raise RecordError(f"no {_NAMES[kind]}")
            return clean(data) if clean is not None and kind is str else data
        if kind is float:
            if type(data) is not int and not (type(data) is float and math.isfinite(data)):
                raise RecordError("no number")
            return data
        if kind is Any or kind is object or kind is Value:
            return data
        if not isinstance(kind, type):
            return self._composed(kind, data, clean)
        if is_dataclass(kind):
            return self._record(kind, data)
        if issubclass(kind, enum.Enum):
            if type(data) is str:
                with contextlib.suppress(ValueError):
                    return kind(data)
            raise RecordError(f"none of {', '.join(one.value for one in kind)}")
        raise TypeError(f"{kind} has no form as data")

    def _composed(self, kind: Any, data: Any, clean: Clean) -> Any:
        origin, inner = _form_of(kind)
        if origin is Literal:
            if not any(type(data) is type(one) and data == one for one in inner):
                raise RecordError(f"none of {', '.join(map(str, inner))}")
            return data
        if origin in (Union, types.UnionType):
            return self._either(inner, data, clean)
        if origin is tuple and inner[1:] != (...,):
            items = _items(data, self._most)
            if len(items) != len(inner):
                raise RecordError(f"{len(items)} items instead of {len(inner)}")
            return tuple(map(self._value, inner, items, itertools.repeat(clean)))
        if origin in (tuple, frozenset):
            items = _items(data, self._most)
            return origin(self._value(inner[0], item, clean) for item in items)
        if origin in (dict, Mapping):
            key, value = inner
            return self._mapping(key, value, data, clean)
        if origin is np.ndarray:
            if not isinstance(data, Array) or data.data.dtype != typing.get_args(inner[1])[0]:
                raise RecordError("no such array")
            return data.data
        raise TypeError(f"{kind} has no form as data")

    def _either(self, inner: tuple[Any, ...], data: Any, clean: Clean) -> Any:
        """Read the first type of a union that fits. If only one can be something, its error says more."""
        *others, last = [one for one in inner if one is not types.NoneType]
        if data is None and types.NoneType in inner:
            return None
        for one in others:
            try:
                return self._value(one, data, clean)
            except RecordError:
                continue
        return self._value(last, data, clean)

    def _mapping(self, key: Any, value: Any, data: Any, clean: Clean) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        entries = _entries(data, "dict")
        if len(entries) > self._most:
            raise RecordError(f"more than {self._most} items")
        for name, item in entries:
            known = self._value(key, name, clean)
            if known in found:
                raise RecordError(f"{name!r:.{_SHOWN}}: twice")
            found[known] = self._value(value, item, clean)
        return found

    def _record(self, kind: Any, data: Any) -> Any:
        known = self._known.get(kind) or self._fields(kind)
        values: dict[str, Any] = {}
        for name, item in _entries(data, "record"):
            if type(name) is not str or name not in known:
                raise RecordError(f"an unknown field {name!r:.{_SHOWN}}")
            if name in values:
                raise RecordError(f"{name}: twice")
            try:
                values[name] = self._value(known[name].kind, item, known[name].clean)
            except RecordError as error:
                raise RecordError(f"{name}: {error}") from None
        if len(values) < len(known):
            for name, one in known.items():
                if one.required and name not in values:
                    raise RecordError(f"{name}: missing")
        return kind(**values)

    def _fields(self, kind: Any) -> dict[str, _Field]:
        hints = typing.get_type_hints(kind)
        form = self._forms.get(kind)
        self._known[kind] = {
            one.name: _Field(
                hints[one.name],
                form[one.name] if form else None,
                form is not None or one.default is one.default_factory is MISSING,
            )
            for one in fields(kind)
            if one.init and (form is None or one.name in form)
        }
        return self._known[kind]


@functools.cache
def _form_of(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    return typing.get_origin(kind), typing.get_args(kind)


def _items(data: Any, most: float) -> Sequence[Any]:
    items = data.items if isinstance(data, ListValue) else data
    if type(items) is not tuple and type(items) is not list:
        raise RecordError("no list")
    if len(items) > most:
        raise RecordError(f"more than {most} items")
    return items


def _entries(data: Any, what: str) -> Collection[tuple[Any, Any]]:
    if isinstance(data, dict):
        return data.items()
    if isinstance(data, DictValue):
        return data.items
    raise RecordError(f"no {what}")


read = Reader().read


def from_json(kind: type[T], data: bytes) -> T:
    """Return the record in the bytes of a JSON file. Raises RecordError, which says where, for anything else."""
    return read(kind, load_json(data))


def load_json(data: bytes) -> Any:
    """Return the content of a JSON file. Raises RecordError for bytes that are no JSON."""
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no JSON ({error})") from None


def plain(thing: Any) -> Any:
    """Return a record, or what a field may have, as dicts, lists, texts and numbers."""
    if type(thing) in _PLAIN:  # most parts; to ask whether they are a Mapping takes long
        return thing
    if is_dataclass(thing) and not isinstance(thing, type):
        return {name: plain(getattr(thing, name)) for name in _names_of(type(thing))}
    if isinstance(thing, enum.Enum):
        return thing.value
    if isinstance(thing, Mapping):
        return {plain(key): plain(value) for key, value in thing.items()}
    if isinstance(thing, frozenset):
        return sorted(map(plain, thing))
    return list(map(plain, thing)) if isinstance(thing, tuple | list) else thing


@functools.cache
def _names_of(kind: type[DataclassInstance]) -> tuple[str, ...]:
    """Return the names of the fields that make a record."""
    return tuple(one.name for one in fields(kind) if one.init)


def to_json(thing: Any, indent: int | None = 1) -> bytes:
    """Return a record, or plain data, as the bytes of a JSON file. Halves of surrogate pairs become escapes."""
    text = json.dumps(plain(thing), indent=indent, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode("utf-8", "backslashreplace")
