"""Read records from plain data, and write them: one reader for JSON and for what a worker sends.

A record is a dataclass. Its annotations say the form of its data: texts, numbers, enums, literals, tuples (lists in
JSON), dicts, unions and other records.

    read(Feedback, {"outcome": "wrong"})        the record; RecordError says where the data differ
    plain(feedback)                             dicts, lists, texts and numbers
    from_json(Run, data), to_json(run)          the same from and to the bytes of a file

A field is read only if the record has it, and may be missing only if it has a default. A bool is no number; a number is
finite.
"""

from __future__ import annotations

import enum
import functools
import itertools
import json
import math
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union

from autograder.values.values import DictValue, ListValue

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
Read = Callable[[Any], Any]
# For some records: the fields that data must have, no more and no fewer, and what makes the texts in each fit to be
# shown; None leaves them as they are.
Forms = Mapping[type, Mapping[str, Callable[[str], str] | None]]

_NAMES: dict[Any, str] = {str: "text", int: "whole number", bool: "bool", bytes: "bytes"}
_PLAIN = frozenset({str, int, float, bool, types.NoneType})
_SHOWN = 40  # characters of a name that nobody knows


class RecordError(ValueError):
    """Data that have another form than their record; the text begins with the path to them."""

    def __init__(self, what: str, path: str = "") -> None:
        super().__init__(f"{path.removeprefix('.')}: {what}" if path else what)
        self._what, self._path = what, path

    def within(self, part: str) -> RecordError:
        """Return the error as the whole sees it that this part belongs to."""
        return RecordError(self._what, part + self._path)


@dataclass(frozen=True)
class _Field:
    read: Read
    required: bool


class Reader:
    """Reads records of any kind. What it finds out about a kind is kept, so that a reader is made once.

    Args:
        forms: the records of which the data must have exactly these fields.
        kinds: how to read further types.
        most: how many items a list may have.
    """

    def __init__(
        self,
        forms: Forms | None = None,
        *,
        kinds: Mapping[Any, Read] | None = None,
        most: float = math.inf,
    ) -> None:
        self._forms = forms or {}
        self._kinds = kinds or {}
        self._most = most
        self._made: dict[Any, Read] = {}

    def read(self, kind: type[T], data: object) -> T:
        """Return the data as a `kind`: a record, or a type that a field may have. Raises RecordError."""
        read = self._made.get(kind)
        if read is None:
            is_record = is_dataclass(kind) and kind not in self._kinds
            read = self._record(kind) if is_record else self._reader(kind, None)
            self._made[kind] = read
        record: T = read(data)
        return record

    def _reader(self, kind: Any, clean: Callable[[str], str] | None) -> Read:
        """Return what reads a type. Texts in it are cleaned."""
        if kind in self._kinds:
            return self._kinds[kind]
        if kind is Any or kind is object:
            return _anything
        if kind is str and clean is not None:
            return functools.partial(_cleaned, clean)
        if kind in _NAMES:
            return functools.partial(_exactly, kind)
        if kind is float:
            return _number
        if kind in (None, types.NoneType):
            return _nothing
        if is_dataclass(
            kind
        ):  # made when it is used first: a record may hold others of its own kind
            return functools.partial(self.read, typing.cast("type[Any]", kind))
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return functools.partial(_member, {one.value: one for one in kind})
        return self._composed(kind, typing.get_origin(kind), typing.get_args(kind), clean)

    def _composed(
        self, kind: Any, origin: Any, inner: tuple[Any, ...], clean: Callable[[str], str] | None
    ) -> Read:
        if origin is Literal:
            return functools.partial(_literal, inner)
        if origin in (Union, types.UnionType):
            return _either([self._reader(one, clean) for one in inner])
        if origin is tuple and inner[1:] == (...,):
            return functools.partial(_all, self._reader(inner[0], clean), self._most)
        if origin is tuple:
            return functools.partial(_each, [self._reader(one, clean) for one in inner])
        if origin is frozenset:
            items = functools.partial(_all, self._reader(inner[0], clean), self._most)
            return lambda data: frozenset(items(data))
        if origin in (dict, Mapping):
            key, value = (self._reader(one, clean) for one in inner)
            return functools.partial(_mapping, key, value, self._most)
        raise TypeError(f"{kind} has no form as data")

    def _record(self, kind: type) -> Read:
        hints = typing.get_type_hints(kind)
        form = self._forms.get(kind)
        known = {
            one.name: _Field(
                self._reader(hints[one.name], form[one.name] if form else None),
                form is not None or one.default is one.default_factory is MISSING,
            )
            for one in fields(kind)
            if one.init and (form is None or one.name in form)
        }
        return functools.partial(_fields, kind, known)


def _anything(data: Any) -> Any:
    return data


def _exactly(kind: type, data: Any) -> Any:
    if type(data) is not kind:
        raise RecordError(f"no {_NAMES[kind]}")
    return data


def _cleaned(clean: Callable[[str], str], data: Any) -> str:
    return clean(_exactly(str, data))


def _number(data: Any) -> float:
    if type(data) is not int and not (type(data) is float and math.isfinite(data)):
        raise RecordError("no number")
    number: float = data
    return number


def _nothing(data: Any) -> None:
    if data is not None:
        raise RecordError("something where nothing belongs")


def _member(known: Mapping[Any, enum.Enum], data: Any) -> enum.Enum:
    if type(data) is not str or data not in known:
        raise RecordError(f"none of {', '.join(known)}")
    return known[data]


def _literal(known: tuple[Any, ...], data: Any) -> Any:
    if not any(type(data) is type(one) and data == one for one in known):
        raise RecordError(f"none of {', '.join(map(str, known))}")
    return data


def _either(readers: list[Read]) -> Read:
    """Read the first type of a union that fits. If only one can be something, its error says more."""
    some = [read for read in readers if read is not _nothing]
    optional = len(some) < len(readers)

    def read(data: Any) -> Any:
        if data is None and optional:
            return None
        for one in some[:-1]:
            try:
                return one(data)
            except RecordError:
                continue
        return some[-1](data)

    return read


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


def _all(read: Read, most: float, data: Any) -> tuple[Any, ...]:
    return _parts(itertools.repeat(read), _items(data, most))


def _each(readers: list[Read], data: Any) -> tuple[Any, ...]:
    items = _items(data, math.inf)
    if len(items) != len(readers):
        raise RecordError(f"{len(items)} items instead of {len(readers)}")
    return _parts(readers, items)


def _parts(readers: Iterable[Read], items: Sequence[Any]) -> tuple[Any, ...]:
    found: list[Any] = []
    try:
        for read, item in zip(readers, items, strict=False):
            found.append(read(item))
    except RecordError as error:
        raise error.within(f"[{len(found)}]") from None
    return tuple(found)


def _mapping(key: Read, value: Read, most: float, data: Any) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    entries = _entries(data, "dict")
    if len(entries) > most:
        raise RecordError(f"more than {most} items")
    for name, item in entries:
        try:
            known = key(name)
            if known in found:
                raise RecordError("twice")  # noqa: TRY301 - the path is added below
            found[known] = value(item)
        except RecordError as error:
            raise error.within(f"[{name!r:.{_SHOWN}}]") from None
    return found


def _fields(kind: Callable[..., Any], known: dict[str, _Field], data: Any) -> Any:
    values: dict[str, Any] = {}
    for name, item in _entries(data, "record"):
        if type(name) is not str or name not in known:
            raise RecordError(f"an unknown field {name!r:.{_SHOWN}}")
        if name in values:
            raise RecordError("twice", f".{name}")
        try:
            values[name] = known[name].read(item)
        except RecordError as error:
            raise error.within(f".{name}") from None
    if len(values) < len(known):
        for name, one in known.items():
            if one.required and name not in values:
                raise RecordError("missing", f".{name}")
    return kind(**values)


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


def plain(thing: Any, kinds: Mapping[type, Read] | None = None) -> Any:
    """Return a record, or what a field may have, as dicts, lists, texts and numbers.

    Args:
        kinds: how to write further types.
    """
    write = (kinds or {}).get(type(thing))
    if write is not None:
        return write(thing)
    if type(thing) in _PLAIN:  # most parts; to ask whether they are a Mapping takes long
        return thing
    if is_dataclass(thing) and not isinstance(thing, type):
        return {name: plain(getattr(thing, name), kinds) for name in _names_of(type(thing))}
    if isinstance(thing, enum.Enum):
        return thing.value
    if isinstance(thing, Mapping):
        return {plain(key, kinds): plain(value, kinds) for key, value in thing.items()}
    if isinstance(thing, frozenset):
        return sorted(plain(item, kinds) for item in thing)
    return [plain(item, kinds) for item in thing] if isinstance(thing, tuple | list) else thing


@functools.cache
def _names_of(kind: type[DataclassInstance]) -> tuple[str, ...]:
    """Return the names of the fields that make a record."""
    return tuple(one.name for one in fields(kind) if one.init)


def to_json(thing: Any, indent: int | None = 1) -> bytes:
    """Return a record, or plain data, as the bytes of a JSON file. Halves of surrogate pairs become escapes."""
    text = json.dumps(thing, indent=indent, ensure_ascii=False, allow_nan=False, default=_one_level)
    return f"{text}\n".encode("utf-8", "backslashreplace")


def _one_level(thing: Any) -> Any:
    """Return a thing that JSON does not know in parts, which may be such things again. This is faster than `plain`."""
    if is_dataclass(thing) and not isinstance(thing, type):
        return {name: getattr(thing, name) for name in _names_of(type(thing))}
    parts = plain(thing)
    if parts is thing:
        raise TypeError(f"{type(thing).__name__} has no form as data")
    return parts
