"""Frames of plain data between the grader and its worker.

    frame = b"AKF1" + length (uint32) + value            value = tag (1 byte) + content, all numbers little-endian

All input is untrusted. Each length is checked against the rest of the frame before anything is
allocated, counts and depth are limited, and unknown tags are refused. No pickle, no evaluation, no
lookup by a received name.
"""

from __future__ import annotations

import math
import struct
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from autograder.errors import ProtocolError
from autograder.values.values import (
    ARRAY_KINDS,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_ITEMS,
    SEQUENCE_KINDS,
    STORAGE,
    Array,
    DictValue,
    ListValue,
    Other,
    TooLarge,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Callable

MAGIC = b"AKF1"
MAX_FRAME = MAX_BYTES
MAX_DIMENSIONS = 8
_TOO_LARGE = f"more than {MAX_FRAME:,} bytes"
_BROKEN_OFF = "a frame promises more than it has"

# An envelope of two mappings contains the student's value.
_MAX_DEPTH = MAX_DEPTH + 4
_HEADER = struct.Struct("<4sI")
HEADER_SIZE = _HEADER.size

# In the calls of a class with a stand-in: what stands before the names of the arguments of `forward`, and of what the
# instance holds.
FORWARD, SELF = "forward_", "self_"

# A mark ends the output of each request and is part of its answer. READY is that of the greeting, before any request.
MARK_LENGTH = 32
READY = "0" * MARK_LENGTH

# Messages on a worker's control socket: the worker sends STARTED, the fork server its exit code.
STARTED = b"started"
EXIT_CODE = struct.Struct("<i")

# What a worker that loads a file announces before each statement: its number, and what it does (IMPORTS, DEFINES).
_ANNOUNCEMENT = struct.Struct("<cIB")
_ANNOUNCES = b"@"
_CALLS = b"?"
IMPORTS, DEFINES = 1, 2
MOST_STATEMENTS = 2**32 - 1
# Characters of a statement that was left out, by which the next worker knows it.
MAX_TEXT = 2_000

# A layout with "c" includes the tag; the reader has already read the tag.
_INT = struct.Struct("<q")
_FLOAT = struct.Struct("<d")
_SIZE = struct.Struct("<I")
_TAG_SIZE = struct.Struct("<cI")
_SEQUENCE = struct.Struct("<cBI")
_ARRAY = struct.Struct("<BBBB")
_SHAPES = [struct.Struct(f"<{dimensions}I") for dimensions in range(MAX_DIMENSIONS + 1)]
_ARRAYS = [struct.Struct(f"<cBBBB{dimensions}I") for dimensions in range(MAX_DIMENSIONS + 1)]

_DTYPES = tuple(STORAGE)
_DTYPE_CODES = {name: code for code, name in enumerate(_DTYPES)}
_STORED = tuple(np.dtype(storage).newbyteorder("<") for storage in STORAGE.values())
_NATIVE = tuple(np.dtype(storage) for storage in STORAGE.values())


def frame(body: bytes) -> bytes:
    """Return the frame of an encoded value."""
    return _HEADER.pack(MAGIC, len(body)) + body


def announcement(number: int, does: int) -> bytes:
    """Return the frame that announces a statement."""
    return frame(_ANNOUNCEMENT.pack(_ANNOUNCES, number, does))


def announced(body: bytes) -> tuple[int, int] | None:
    """Return the number of the statement that a body announces and what it does; None for any other body."""
    if len(body) != _ANNOUNCEMENT.size or body[:1] != _ANNOUNCES:
        return None
    _, number, does = _ANNOUNCEMENT.unpack(body)
    return number, does


def call(fields: bytes) -> bytes:
    """Return the frame of a stand-in's question to the grader."""
    return frame(_CALLS + fields)


def call_in(body: bytes) -> bytes | None:
    """Return the encoded fields of a stand-in's question; None for any other body."""
    return body[1:] if body[:1] == _CALLS else None


def body_length(header: bytes) -> int:
    """Return the length of the body after this header. Raises ProtocolError for a bad header."""
    magic, length = _HEADER.unpack(header)
    if magic != MAGIC or length > MAX_FRAME:
        raise ProtocolError("these bytes are no frame")
    return int(length)


def read_frame(stream: IO[bytes]) -> Value:
    """Read the next value. Raises EOFError at the end, ProtocolError for a bad or partial frame."""
    return decode(read_body(stream))


def read_body(stream: IO[bytes]) -> bytes:
    """Read the body of the next frame. Raises as `read_frame` does."""
    header = stream.read(HEADER_SIZE)
    if not header:
        raise EOFError
    if len(header) < HEADER_SIZE:
        raise ProtocolError("a frame broke off in its header")
    length = body_length(header)
    body = stream.read(length)
    if len(body) < length:
        raise ProtocolError("a frame broke off")
    return body


def encode(value: Value) -> bytes:
    """Return the bytes of `value`. Raises TooLarge for more than MAX_FRAME bytes."""
    body = bytearray()
    _write(body, value)
    return bytes(body)


def _write(body: bytearray, value: Value) -> None:
    """Append `value`. Large items are refused before the copy, many small items during the copy."""
    _WRITERS[type(value)](body, value)
    if len(body) > MAX_FRAME:
        raise TooLarge(_TOO_LARGE)


def _write_bytes(body: bytearray, data: bytes, tag: bytes = b"B") -> None:
    if len(body) + len(data) > MAX_FRAME:
        raise TooLarge(_TOO_LARGE)
    body += _TAG_SIZE.pack(tag, len(data))
    body += data


def _write_text(body: bytearray, text: str, tag: bytes = b"S") -> None:
    _write_bytes(body, text.encode("utf-8", "backslashreplace"), tag)


def _write_array(body: bytearray, array: Array) -> None:
    data = array.data
    shape = data.shape
    if len(shape) > MAX_DIMENSIONS:
        raise TooLarge(f"an array of {len(shape)} dimensions")
    if not _fits(shape):
        raise TooLarge(f"an array of shape {shape}")
    kind, dtype = ARRAY_KINDS.index(array.kind), _DTYPE_CODES[array.dtype]
    stored = _STORED[dtype]
    if len(body) + data.size * stored.itemsize > MAX_FRAME:
        raise TooLarge(_TOO_LARGE)
    head = _ARRAYS[len(shape)]
    body += head.pack(b"A", kind, dtype, array.requires_grad, len(shape), *shape)
    body += (data if data.dtype == stored else data.astype(stored)).tobytes()


def _write_sequence(body: bytearray, sequence: ListValue) -> None:
    kind = SEQUENCE_KINDS.index(sequence.kind)
    body += _SEQUENCE.pack(b"L", kind, len(sequence.items))
    for item in sequence.items:
        _write(body, item)


def _write_mapping(body: bytearray, mapping: DictValue) -> None:
    body += _TAG_SIZE.pack(b"M", len(mapping.items))
    for key, item in mapping.items:
        _write(body, key)
        _write(body, item)


_WRITERS: dict[type, Callable[[bytearray, Any], None]] = {
    type(None): lambda body, _: body.extend(b"N"),
    bool: lambda body, value: body.extend(b"T" if value else b"F"),
    int: lambda body, value: body.extend(b"I" + _INT.pack(value)),
    float: lambda body, value: body.extend(b"D" + _FLOAT.pack(value)),
    str: _write_text,
    bytes: _write_bytes,
    Other: lambda body, value: _write_text(body, value.type_name, b"O"),
    Array: _write_array,
    ListValue: _write_sequence,
    DictValue: _write_mapping,
}


def _fits(shape: tuple[int, ...]) -> bool:
    """Return whether a frame can hold this shape, ignoring sizes of 0 as NumPy's own limit does."""
    return 0 < math.prod(shape) <= MAX_FRAME or math.prod(filter(None, shape)) <= MAX_FRAME


def decode(body: bytes) -> Value:
    """Return the value of a frame's body. Raises ProtocolError for bytes not from `encode`."""
    reader = _Reader(body)
    try:
        value = reader.value(0)
    except (IndexError, struct.error):  # a tag or fields beyond the end
        raise ProtocolError(_BROKEN_OFF) from None
    if reader.position != len(body):
        raise ProtocolError("a frame has bytes left over")
    return value


class _Reader:
    """Read one frame's body. Never read past the end or allocate more than the body can fill."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.position = 0
        self.items_left = 4 * MAX_ITEMS

    def value(self, depth: int) -> Value:
        self.items_left -= 1
        if depth > _MAX_DEPTH or self.items_left < 0:
            raise ProtocolError("a frame is nested too deeply or has too many items")
        read = _READERS.get(self.body[self.position])
        if read is None:
            raise ProtocolError("a frame has an unknown tag")
        self.position += 1
        return read(self, depth)

    def unpack(self, layout: struct.Struct) -> tuple[Any, ...]:
        """Return the next fields. Raises struct.error beyond the end."""
        start = self.position
        self.position = start + layout.size
        return layout.unpack_from(self.body, start)

    def integer(self, _depth: int) -> int:
        return int(self.unpack(_INT)[0])

    def real(self, _depth: int) -> float:
        return float(self.unpack(_FLOAT)[0])

    def data(self, _depth: int) -> bytes:
        (size,) = self.unpack(_SIZE)
        start = self.position
        self.position = end = start + size
        if end > len(self.body):
            raise ProtocolError(_BROKEN_OFF)
        return self.body[start:end]

    def text(self, depth: int) -> str:
        try:
            return self.data(depth).decode()
        except UnicodeDecodeError:
            raise ProtocolError("a text is not UTF-8") from None

    def other(self, depth: int) -> Other:
        return Other(self.text(depth))

    def array(self, _depth: int) -> Array:
        kind, dtype, requires_grad, dimensions = self.unpack(_ARRAY)
        if kind >= len(ARRAY_KINDS) or dtype >= len(_DTYPES) or requires_grad > 1:
            raise ProtocolError("an array is of an unknown kind")
        if dimensions > MAX_DIMENSIONS:
            raise ProtocolError("an array has too many dimensions")
        shape = self.unpack(_SHAPES[dimensions])
        if not _fits(shape):
            raise ProtocolError("an array's shape is larger than any frame")
        stored = _STORED[dtype]
        start = self.position
        self.position = end = start + math.prod(shape) * stored.itemsize
        if end > len(self.body):
            raise ProtocolError(_BROKEN_OFF)
        if stored.kind == "b" and self.body[start:end].translate(None, b"\x00\x01"):
            raise ProtocolError("an array of bool has other values")
        # A view of the frame first; astype makes an aligned, native, writable, independent copy.
        data = np.ndarray(shape, stored, self.body, start).astype(_NATIVE[dtype])
        return Array(ARRAY_KINDS[kind], _DTYPES[dtype], data, requires_grad == 1)

    def count(self) -> int:
        (count,) = self.unpack(_SIZE)
        if count > MAX_ITEMS:
            raise ProtocolError("a frame has too many items")
        return int(count)

    def sequence(self, depth: int) -> ListValue:
        kind = self.body[self.position]
        if kind >= len(SEQUENCE_KINDS):
            raise ProtocolError("a sequence is of an unknown kind")
        self.position += 1
        items = [self.value(depth + 1) for _ in range(self.count())]
        return ListValue(SEQUENCE_KINDS[kind], tuple(items))

    def mapping(self, depth: int) -> DictValue:
        entries = [(self.value(depth + 1), self.value(depth + 1)) for _ in range(self.count())]
        return DictValue(tuple(entries))


_READERS: dict[int, Callable[[_Reader, int], Value]] = {
    ord("N"): lambda _reader, _depth: None,
    ord("T"): lambda _reader, _depth: True,
    ord("F"): lambda _reader, _depth: False,
    ord("I"): _Reader.integer,
    ord("D"): _Reader.real,
    ord("S"): _Reader.text,
    ord("B"): _Reader.data,
    ord("O"): _Reader.other,
    ord("A"): _Reader.array,
    ord("L"): _Reader.sequence,
    ord("M"): _Reader.mapping,
}
