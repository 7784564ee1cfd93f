"""Frames: every value arrives as it was sent, and hostile bytes cost nothing but a ProtocolError."""

from __future__ import annotations

import io
import math
import struct
import tracemalloc
from typing import TYPE_CHECKING, Any

import hypothesis.extra.numpy as arrays_of
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.errors import ProtocolError
from autograder.values.values import (
    ARRAY_KINDS,
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
    identical,
    tensor,
)
from autograder.values.wire import (
    MAGIC,
    MAX_DIMENSIONS,
    MAX_FRAME,
    decode,
    encode,
    frame,
    read_frame,
)

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.unit

MEGABYTE = 1024 * 1024
TAGS = b"NTFIDSBOALM"
HUGE = struct.pack("<I", 2**32 - 1)

# Frames of an envelope's depth, with an array in it, such as the worker sends.
GOOD: tuple[Value, ...] = (
    None,
    True,
    -1,
    0.5,
    "Grüße",
    b"\x00\xff",
    Other("Thing"),
    Array("tensor", "float32", np.array([[1.5, -2.0]], dtype=np.float32), True),
    ListValue("tuple", (1, ListValue("different", ("a",)))),
    DictValue((("kind", "returned"), ("value", tensor([1.0])))),
)


def same(one: Value, other: Value) -> bool:
    """Equal in type and to the bit; zero has two signs."""
    return identical(one, other) and encode(one) == encode(other)


@st.composite
def arrays(draw: st.DrawFn) -> Array:
    dtype = draw(st.sampled_from(sorted(STORAGE)))
    shape = arrays_of.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
    data = draw(arrays_of.arrays(np.dtype(STORAGE[dtype]), shape))
    return Array(draw(st.sampled_from(ARRAY_KINDS)), dtype, data, draw(st.booleans()))


texts = st.text(st.characters(codec="utf-8"))
leaves: st.SearchStrategy[Value] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    texts,
    st.binary(),
    st.builds(Other, texts),
    arrays(),
)


def nested(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    few = st.lists(inner, max_size=4).map(tuple)
    pairs = st.lists(st.tuples(inner, inner), max_size=3).map(tuple)
    return st.builds(ListValue, st.sampled_from(SEQUENCE_KINDS), few) | st.builds(DictValue, pairs)


values = leaves
for _ in range(3):
    values = leaves | nested(values)


def frame_of(value: Value) -> bytes:
    return frame(encode(value))


def peak_of(refused: type[Exception], action: Callable[[], object]) -> int:
    """The bytes that an action needed at its worst, which is refused."""
    tracemalloc.start()
    try:
        with pytest.raises(refused):
            action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@settings(deadline=None)
@given(values)
def test_each_value_arrives_as_it_was_sent(value: Value) -> None:
    stream = io.BytesIO(frame_of(value))

    assert same(read_frame(stream), value)
    assert stream.read() == b""


@pytest.mark.parametrize("number", [-(2**63), 2**63 - 1, math.nan, -math.inf, -0.0, 5e-324])
def test_extreme_numbers_arrive(number: float) -> None:
    assert same(decode(encode(number)), number)


@pytest.mark.parametrize(
    "view",
    [
        lambda data: data.T,
        lambda data: data[::-1, ::2],
        np.asfortranarray,
        lambda data: np.broadcast_to(data[0], (5, 4)),
        lambda data: data.astype(">f4"),
    ],
    ids=["transposed", "strided", "fortran", "broadcast", "big-endian"],
)
def test_an_array_arrives_however_it_lies_in_memory(view: Callable[[Any], Any]) -> None:
    data = view(np.arange(12, dtype=np.float32).reshape(3, 4))
    arrived = decode(encode(Array("ndarray", "float32", data)))

    assert isinstance(arrived, Array)
    np.testing.assert_array_equal(arrived.data, data)
    assert arrived.data.dtype == np.float32


@pytest.mark.parametrize("dtype", STORAGE)
@pytest.mark.parametrize("shape", [(), (3,), (0, 2), (2, 3)])
def test_an_arrived_array_is_plain_memory_of_its_own(dtype: str, shape: tuple[int, ...]) -> None:
    body = encode(ListValue("list", (True, Array("any", dtype, np.ones(shape, STORAGE[dtype])))))
    arrived = decode(body)

    assert isinstance(arrived, ListValue)
    assert isinstance(arrived.items[1], Array)
    data, flags = arrived.items[1].data, arrived.items[1].data.flags
    assert (flags.owndata, flags.aligned, flags.c_contiguous) == (True, True, True)
    assert data.dtype.isnative
    data[...] = 0
    assert encode(arrived) != body or not data.size
    assert encode(decode(body)) == body


@pytest.mark.parametrize("thing", [1j, {1}, [1], np.ones(2), object])
def test_what_is_no_plain_data_is_not_sent(thing: Any) -> None:
    with pytest.raises(KeyError):
        encode(ListValue("list", (thing,)))


def test_a_text_with_half_a_surrogate_arrives_as_its_escape() -> None:
    assert decode(encode("a\ud800b")) == "a\\ud800b"


def decoded_or_refused(body: bytes) -> None:
    """Whatever is decoded is what `encode` writes so, to the byte; all else is a ProtocolError."""
    try:
        value = decode(body)
    except ProtocolError:
        return
    assert encode(value) == body


@pytest.mark.parametrize("value", GOOD, ids=lambda value: type(value).__name__)
def test_each_truncation_is_refused_and_each_changed_byte_or_gives_a_value(value: Value) -> None:
    frame, body = frame_of(value), encode(value)

    for length in range(1, len(frame)):
        with pytest.raises(ProtocolError):
            read_frame(io.BytesIO(frame[:length]))
    for position in range(len(body)):
        with pytest.raises(ProtocolError):
            decode(body[:position])
        for byte in (0, 1, 2, 7, 127, 128, 255, *TAGS):
            decoded_or_refused(body[:position] + bytes([byte]) + body[position + 1 :])


def array_head(*head: int) -> bytes:
    return b"A" + bytes(head) + struct.pack("<9I", *[1] * 9) + bytes(64)


REFUSED = {
    "an unknown kind of array": array_head(len(ARRAY_KINDS), 0, 0, 0),
    "an unknown dtype": array_head(0, len(STORAGE), 0, 0),
    "no truth value of requires_grad": array_head(0, 0, 2, 0),
    "too many dimensions": array_head(0, 0, 0, MAX_DIMENSIONS + 1),
    "neither true nor false": encode(Array("ndarray", "bool", np.array([True])))[:-1] + b"\x02",
    "a text that is not UTF-8": b"S" + struct.pack("<I", 1) + b"\xff",
    "a name that is not UTF-8": b"O" + struct.pack("<I", 1) + b"\xff",
    "bytes left over": encode(1) + b"N",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_what_encode_never_writes_is_refused(body: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode(body)


def test_another_magic_is_refused() -> None:
    with pytest.raises(ProtocolError):
        read_frame(io.BytesIO(b"AKF0" + frame_of(1)[4:]))


def test_the_deepest_answer_of_a_student_arrives_in_its_envelope() -> None:
    value: Value = None
    for _ in range(MAX_DEPTH):
        value = ListValue("list", (value,))
    answer = DictValue((("mark", ""), ("answer", DictValue((("value", value),)))))

    assert same(decode(encode(answer)), answer)


BOMBS = {
    "text": b"S" + HUGE,
    "bytes": b"B" + HUGE,
    "type name": b"O" + HUGE,
    "items": b"L\x00" + HUGE,
    "entries": b"M" + HUGE,
    "one item too many": b"L\x00" + struct.pack("<I", MAX_ITEMS + 1) + b"N" * (MAX_ITEMS + 1),
    "numbers": b"A\x00\x07\x00\x01" + HUGE,
    "a product that overflows": b"A\x00\x07\x00\x08" + HUGE * 8,
    "more than a frame, times nothing": b"A\x00\x07\x00\x03" + bytes(4) + HUGE * 2,
    "numbers that are not there": b"A\x00\x07\x00\x01" + struct.pack("<I", MAX_FRAME // 8),
    "depth": b"L\x00\x01\x00\x00\x00" * 100_000,
    "depth of keys": b"M\x01\x00\x00\x00" * 100_000,
    "many lists of many items": (
        b"L\x00" + struct.pack("<I", 100) + (b"L\x00" + struct.pack("<I", MAX_ITEMS) + b"N" * MAX_ITEMS) * 100
    ),
}  # fmt: skip


@pytest.mark.parametrize("body", BOMBS.values(), ids=BOMBS)
def test_a_bomb_is_refused_before_anything_is_made_of_it(body: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode(body)  # what pytest itself allocates the first time is not measured
    assert peak_of(ProtocolError, lambda: decode(body)) < 4 * MEGABYTE


class Counting(io.BytesIO):
    asked = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.asked += size if size is not None and size >= 0 else 2**63
        return super().read(size)


def test_a_frame_that_claims_to_be_huge_is_refused_before_it_is_read() -> None:
    stream = Counting(MAGIC + struct.pack("<I", MAX_FRAME + 1) + bytes(100))

    with pytest.raises(ProtocolError):
        read_frame(stream)
    assert stream.asked == len(MAGIC) + 4


def test_the_largest_frame_is_carried() -> None:
    value = bytes(MAX_FRAME - 5)  # less the tag and the length

    assert read_frame(io.BytesIO(frame_of(value))) == value


block = Array("tensor", "float32", np.zeros(MEGABYTE // 4, dtype=np.float32))
TOO_LARGE: dict[str, Value] = {
    "bytes": bytes(MAX_FRAME - 4),
    "an array": Array("ndarray", "uint8", np.broadcast_to(np.uint8(0), (MAX_FRAME, 2**20))),
    "the same array many times": ListValue("list", (block,) * MAX_ITEMS),
    "the same text many times": DictValue((("x" * MEGABYTE, "y" * MEGABYTE),) * MAX_ITEMS),
    "bfloat16, which travels as float32": Array(
        "tensor", "bfloat16", np.zeros(MAX_FRAME // 2, dtype=np.float16)
    ),
    "dimensions": Array("ndarray", "uint8", np.zeros((1,) * (MAX_DIMENSIONS + 1), dtype=np.uint8)),
    "an empty array of a huge shape": Array(
        "ndarray", "uint8", np.zeros((0, 2**40), dtype=np.uint8)
    ),
}


@pytest.mark.parametrize("value", TOO_LARGE.values(), ids=TOO_LARGE)
def test_what_is_too_large_is_refused_before_it_is_copied(value: Value) -> None:
    assert peak_of(TooLarge, lambda: encode(value)) < 3 * MAX_FRAME
