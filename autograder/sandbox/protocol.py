"""Frames of plain data between the grader and its worker.

    frame = b"AKF1" + length (uint32) + value            value = tag (1 byte) + content, all numbers little-endian

Everything that is read is hostile: each length is checked against what is left of the frame before anything is made of
it, counts and depth are bounded, and what is unknown is refused. No pickle, no evaluation, no lookup by a name sent.
"""

from __future__ import annotations

import math
import struct
from typing import IO, TYPE_CHECKING

import numpy as np

from autograder.errors import ProtocolError
from autograder.values import (
    ARRAY_KINDS,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_ITEMS,
    SEQUENCE_KINDS,
    STORAGE,
    Array,
    Mapping,
    Other,
    Sequence,
    TooLarge,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Callable

MAGIC = b"AKF1"
MAX_FRAME = MAX_BYTES
MAX_DIMENSIONS = 8

# An envelope of two mappings surrounds what a student returned.
_MAX_DEPTH = MAX_DEPTH + 4
_DTYPES = tuple(STORAGE)
_HEADER = struct.Struct("<4sI")


def write_frame(stream: IO[bytes], value: Value) -> None:
    """Send `value`. Raises TooLarge, before anything is sent, if it does not fit a frame."""
    body = encode(value)
    stream.write(_HEADER.pack(MAGIC, len(body)) + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> Value:
    """The next value. Raises EOFError at the end of the stream, ProtocolError for anything but a whole good frame."""
    header = stream.read(_HEADER.size)
    if not header:
        raise EOFError
    if len(header) < _HEADER.size:
        raise ProtocolError("a frame broke off in its header")
    magic, length = _HEADER.unpack(header)
    if magic != MAGIC or length > MAX_FRAME:
        raise ProtocolError("these bytes are no frame")
    body = stream.read(length)
    if len(body) < length:
        raise ProtocolError("a frame broke off")
    return decode(body)


def encode(value: Value) -> bytes:
    """The bytes of `value`. Raises TooLarge beyond MAX_FRAME."""
    writer = _Writer()
    writer.value(value)
    return b"".join(writer.parts)


class _Writer:
    """Writes one frame's body; refuses what is too large before it is copied."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def value(self, value: Value) -> None:
        match value:
            case None:
                self._add(b"N")
            case bool():
                self._add(b"T" if value else b"F")
            case int():
                self._add(b"I" + struct.pack("<q", value))
            case float():
                self._add(b"D" + struct.pack("<d", value))
            case str():
                self._add_sized(b"S", value.encode("utf-8", "backslashreplace"))
            case bytes():
                self._add_sized(b"B", value)
            case Other():
                self._add_sized(b"O", value.type_name.encode("utf-8", "backslashreplace"))
            case Array():
                self._add_array(value)
            case Sequence():
                kind = SEQUENCE_KINDS.index(value.kind)
                self._add(b"L" + struct.pack("<BI", kind, len(value.items)))
                for item in value.items:
                    self.value(item)
            case Mapping():
                self._add(b"M" + struct.pack("<I", len(value.items)))
                for key, item in value.items:
                    self.value(key)
                    self.value(item)

    def _add(self, part: bytes) -> None:
        self._grow(len(part))
        self.parts.append(part)

    def _add_sized(self, tag: bytes, data: bytes) -> None:
        self._add(tag + struct.pack("<I", len(data)))
        self._add(data)

    def _add_array(self, array: Array) -> None:
        data = array.data
        if data.ndim > MAX_DIMENSIONS:
            raise TooLarge(f"an array of {data.ndim} dimensions")
        if not _fits(data.shape):
            raise TooLarge(f"an array of shape {data.shape}")
        kind, dtype = ARRAY_KINDS.index(array.kind), _DTYPES.index(array.dtype)
        stored = np.dtype(STORAGE[array.dtype]).newbyteorder("<")
        self._add(b"A" + struct.pack("<BBBB", kind, dtype, array.requires_grad, data.ndim))
        self._add(struct.pack(f"<{data.ndim}I", *data.shape))
        self._grow(data.size * stored.itemsize)
        self.parts.append(np.ascontiguousarray(data, dtype=stored).tobytes())

    def _grow(self, size: int) -> None:
        self.size += size
        if self.size > MAX_FRAME:
            raise TooLarge(f"more than {MAX_FRAME:,} bytes")


def _fits(shape: tuple[int, ...]) -> bool:
    """Whether a frame could hold such an array. A size of 0 counts as 1: NumPy refuses the rest of a huge shape."""
    return math.prod(size or 1 for size in shape) <= MAX_FRAME


def decode(body: bytes) -> Value:
    """The value of a frame's body. Raises ProtocolError for anything that `encode` would not have written."""
    reader = _Reader(body)
    value = reader.value(0)
    if reader.position != len(body):
        raise ProtocolError("a frame has bytes left over")
    return value


class _Reader:
    """Reads one frame's body; never looks beyond its end, never makes more than it has bytes for."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.position = 0
        self.items_left = 4 * MAX_ITEMS
        self._readers: dict[bytes, Callable[[int], Value]] = {
            b"N": lambda _: None,
            b"T": lambda _: True,
            b"F": lambda _: False,
            b"I": lambda _: self._int("<q"),
            b"D": lambda _: float(self._unpack("<d")[0]),
            b"S": lambda _: self._text(),
            b"B": lambda _: self._sized(),
            b"O": lambda _: Other(self._text()),
            b"A": lambda _: self._array(),
            b"L": self._sequence,
            b"M": self._mapping,
        }

    def value(self, depth: int) -> Value:
        self.items_left -= 1
        if depth > _MAX_DEPTH or self.items_left < 0:
            raise ProtocolError("a frame is nested too deeply or has too many items")
        reader = self._readers.get(self._take(1))
        if reader is None:
            raise ProtocolError("a frame has an unknown tag")
        return reader(depth)

    def _take(self, count: int) -> bytes:
        end = self.position + count
        if end > len(self.body):
            raise ProtocolError("a frame promises more than it has")
        taken = self.body[self.position : end]
        self.position = end
        return taken

    def _unpack(self, layout: str) -> tuple[int | float, ...]:
        return struct.unpack(layout, self._take(struct.calcsize(layout)))

    def _int(self, layout: str) -> int:
        return int(self._unpack(layout)[0])

    def _sized(self) -> bytes:
        return self._take(self._int("<I"))

    def _text(self) -> str:
        try:
            return self._sized().decode("utf-8")
        except UnicodeDecodeError:
            raise ProtocolError("a text is not UTF-8") from None

    def _array(self) -> Array:
        kind, dtype, requires_grad, dimensions = self._take(4)
        if kind >= len(ARRAY_KINDS) or dtype >= len(_DTYPES) or requires_grad > 1:
            raise ProtocolError("an array is of an unknown kind")
        if dimensions > MAX_DIMENSIONS:
            raise ProtocolError("an array has too many dimensions")
        shape = tuple(self._int("<I") for _ in range(dimensions))
        storage = np.dtype(STORAGE[_DTYPES[dtype]]).newbyteorder("<")
        if not _fits(shape):
            raise ProtocolError("an array's shape is larger than any frame")
        count = math.prod(shape)
        raw = self._take(count * storage.itemsize)
        if storage.kind == "b" and raw.translate(None, b"\x00\x01"):
            raise ProtocolError("an array of bool has other values")
        data = np.frombuffer(raw, dtype=storage).reshape(shape).astype(storage.newbyteorder("="))
        return Array(ARRAY_KINDS[kind], _DTYPES[dtype], data, bool(requires_grad))

    def _count(self) -> int:
        count = self._int("<I")
        if count > MAX_ITEMS:
            raise ProtocolError("a frame has too many items")
        return count

    def _sequence(self, depth: int) -> Sequence:
        kind = self._int("<B")
        if kind >= len(SEQUENCE_KINDS):
            raise ProtocolError("a sequence is of an unknown kind")
        count = self._count()
        return Sequence(SEQUENCE_KINDS[kind], tuple(self.value(depth + 1) for _ in range(count)))

    def _mapping(self, depth: int) -> Mapping:
        count = self._count()
        return Mapping(tuple((self.value(depth + 1), self.value(depth + 1)) for _ in range(count)))
