"""What a student's function may return, as plain data, and back."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
import pytest
import torch

from autograder.values.numbers import numbers_in
from autograder.values.values import (
    MAX_DEPTH,
    MAX_ITEMS,
    MAX_TEXT,
    STORAGE,
    Array,
    ArrayKind,
    DictValue,
    Different,
    ListValue,
    Other,
    Raised,
    TooLarge,
    freeze,
    freeze_answer,
    identical,
    parts_in,
    tensor,
    thaw,
    with_arrays,
)

DTYPES = sorted(STORAGE)


def array_of(thing: object) -> Array:
    frozen = freeze(thing)
    assert isinstance(frozen, Array)
    return frozen


def items_of(thing: object) -> tuple[Any, ...]:
    frozen = freeze(thing)
    assert isinstance(frozen, ListValue)
    return (frozen.kind, *frozen.items)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_tensor_and_an_array_of_each_dtype_come_back(dtype: str) -> None:
    given_tensor = torch.arange(6).reshape(2, 3).to(getattr(torch, dtype))
    frozen = array_of(given_tensor)
    again = thaw(frozen)

    assert (frozen.kind, frozen.dtype, frozen.data.dtype.name) == ("tensor", dtype, STORAGE[dtype])
    assert again.dtype == given_tensor.dtype
    assert torch.equal(again, given_tensor)
    if dtype != "bfloat16":
        given_array = np.arange(6).reshape(2, 3).astype(dtype)
        array = thaw(freeze(given_array))
        assert array.dtype == given_array.dtype
        np.testing.assert_array_equal(array, given_array)


@pytest.mark.parametrize("trainable", [True, False])
def test_parameters_and_leaves_keep_whether_they_learn(trainable: bool) -> None:
    parameter = thaw(freeze(torch.nn.Parameter(torch.ones(2), requires_grad=trainable)))
    leaf = thaw(freeze(torch.ones(2, requires_grad=trainable)))

    assert (type(parameter), parameter.requires_grad) == (torch.nn.Parameter, trainable)
    assert (type(leaf), leaf.requires_grad) == (torch.Tensor, trainable)


@pytest.mark.parametrize(
    "odd",
    [
        torch.arange(6.0).reshape(2, 3).T,
        torch.arange(6.0)[::2],
        torch.tensor(2.0).expand(3, 4),
        torch.tensor([1 + 2j]).conj(),
        torch.tensor([1 + 2j]).conj().imag,
        torch.ones(2, requires_grad=True) * 3,
        torch.empty(0, 3),
        torch.tensor(5),
    ],
    ids=["transposed", "strided", "expanded", "conj", "neg", "in a graph", "empty", "scalar"],
)
def test_a_tensor_is_read_however_torch_holds_it(odd: torch.Tensor) -> None:
    np.testing.assert_array_equal(
        array_of(odd).data, np.array(odd.detach().tolist()).reshape(odd.shape)
    )


@pytest.mark.parametrize("dtype", [">f4", "<f8", ">i8", np.longlong, np.intc])
def test_a_numpy_array_bears_its_dtypes_name_whatever_its_bytes(dtype: Any) -> None:
    data = np.array([1, 2], dtype=dtype)

    assert array_of(data).dtype == data.dtype.name


class Vector(torch.Tensor):  # type: ignore[misc]
    pass


class Matrix(np.ndarray):
    pass


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        (torch.ones(2).as_subclass(Vector), "Vector"),
        (np.ones(2).view(Matrix), "Matrix"),
        (np.ma.masked_array([1.0]), "MaskedArray"),
        (2**63, "int with more than 64 bits"),
        (10**5000, "int with more than 64 bits"),
        (1 + 2j, "complex"),
        ((number for number in range(3)), "generator"),
        (torch.nn.Linear(1, 1), "Linear"),
        (np.array([object()]), "ndarray of dtype object"),
        (np.array(["text"]), "ndarray of dtype str128"),
        (torch.ones(2).to_sparse(), "Tensor (torch.sparse_coo, cpu, float32)"),
        (torch.ones(2, device="meta"), "Tensor (torch.strided, meta, float32)"),
        (type("N" * 500, (), {})(), "N" * 200),
    ],
    ids=lambda thing: type(thing).__name__ if not isinstance(thing, str) else thing[:20],
)
def test_of_all_else_only_the_name_is_taken(thing: object, name: str) -> None:
    assert freeze(thing) == Other(name)


Point = namedtuple("Point", "x y")  # noqa: PYI024 - students write it so
SIZE = torch.ones(2, 3).shape


@pytest.mark.parametrize(
    ("things", "frozen"),
    [
        ([1, 2], ("list", 1, 2)),
        ((1, 2), ("tuple", 1, 2)),
        (Point(1, 2), ("tuple", 1, 2)),
        (SIZE, ("tuple", 2, 3)),
        (Different((1, 2)), ("different", 1, 2)),
        (Raised(("KeyError",)), ("raised", "KeyError")),
    ],
)
def test_a_sequence_is_its_items(things: object, frozen: tuple[object, ...]) -> None:
    assert items_of(things) == frozen


def refuse(*_: object, **__: object) -> NoReturn:
    raise AssertionError("a student's method was run")


METHODS = (
    "__iter__ __len__ __getitem__ __eq__ __hash__ __bool__ __str__ __repr__ __format__ __getattr__ __getattribute__ "
    "__array__ __float__ __int__ __index__ __reduce_ex__ keys items copy encode detach numpy"
)


TRAPS = dict.fromkeys(METHODS.split(), refuse)
CHECKS = {
    **dict.fromkeys(("__instancecheck__", "__subclasscheck__"), refuse),
    "__name__": property(refuse),
}
EMPTY: dict[type, object] = {list: ListValue("list", ()), dict: DictValue(())}
META = type("Meta", (type,), TRAPS | CHECKS)


@pytest.mark.parametrize(
    ("base", "content", "frozen"),
    [
        (list, ([1, 2],), ListValue("list", (1, 2))),
        (tuple, ((1, 2),), ListValue("tuple", (1, 2))),
        (dict, ({1: 2},), DictValue(((1, 2),))),
        (str, ("text",), "text"),
        (int, (3,), Other("Trap")),
        (float, (3.0,), Other("Trap")),
        (bytes, (b"b",), Other("Trap")),
        (np.int64, (3,), Other("Trap")),
        (object, (), Other("Trap")),
    ],
)
def test_no_method_of_a_students_object_or_its_metaclass_is_run(
    base: type, content: tuple[Any, ...], frozen: object
) -> None:
    of_class, of_metaclass = type("Trap", (base,), TRAPS), META("Trap", (base,), {})
    made: Any = base.__new__
    empty = made(of_metaclass) if base in (list, dict) else made(of_metaclass, *content)
    for seen, wanted in (
        (freeze(of_class(*content)), frozen),
        (freeze(empty), EMPTY.get(base, frozen)),
    ):
        assert type(seen) is type(wanted)
        assert getattr(seen, "items", seen) == getattr(wanted, "items", wanted)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("kind", [torch.Tensor, torch.nn.Parameter])
def test_no_method_that_a_tensor_was_given_is_run(kind: Any, dtype: str) -> None:
    thing = kind(torch.ones(2, 3, dtype=getattr(torch, dtype)).T)
    for name in ("detach", "numpy", "contiguous", "float", "numel", "element_size", "resolve_conj"):
        setattr(thing, name, refuse)

    assert array_of(thing).data.tolist() == [[1, 1]] * 3


def test_a_class_may_be_named_by_a_text_with_methods_of_its_own() -> None:
    name = type("Name", (str,), {"__getitem__": refuse, "encode": refuse})("Odd")
    frozen = freeze(type(name, (), {})())

    assert isinstance(frozen, Other)
    assert (type(frozen.type_name), frozen) == (str, Other("Odd"))


CYCLIC: list[Any] = [{}]
CYCLIC[0]["me"] = CYCLIC


def nested(levels: int) -> object:
    thing: object = None
    for _ in range(levels):
        thing = [thing]
    return thing


def woven() -> object:
    """Three short lists that hold a million items; at full depth nobody could write them down."""
    thing: object = 0
    for _ in range(3):
        thing = [thing] * 100
    return thing


@pytest.mark.parametrize(
    "thing",
    [
        CYCLIC,
        CYCLIC[0],
        nested(MAX_DEPTH + 1),
        woven(),
        [0] * (MAX_ITEMS + 1),
        [[0] * 100] * 100,
        dict.fromkeys(range(MAX_ITEMS)),
        "x" * (MAX_TEXT + 1),
        torch.ones(1).expand(10**12),
        torch.zeros(5 * 1024 * 1024),
    ],
    ids=["cyclic", "cyclic dict", "deep", "woven", "items", "table", "keys", "text", "expanded", "tensor"],
)  # fmt: skip
def test_what_is_too_large_is_said_before_it_is_copied(thing: object) -> None:
    with pytest.raises(TooLarge):
        freeze(thing)


@pytest.mark.parametrize(
    "thing", [nested(MAX_DEPTH), [0] * MAX_ITEMS, "x" * MAX_TEXT, [[0] * 99] * 100]
)
def test_what_just_fits_is_taken(thing: object) -> None:
    assert thaw(freeze(thing)) == thing


@pytest.mark.parametrize("kind", [torch.Tensor, torch.nn.Parameter, np.ndarray])
def test_what_comes_back_may_be_written_to_and_shares_nothing(kind: type) -> None:
    data = np.arange(6, dtype=np.float32).reshape(2, 3).T
    data.flags.writeable = False
    names: dict[type, ArrayKind] = {torch.Tensor: "tensor", torch.nn.Parameter: "parameter"}
    again = thaw(Array(names.get(kind, "ndarray"), "float32", data))
    again[0, 0] = 7

    assert (type(again), data[0, 0]) == (kind, 0)


def test_what_has_only_a_name_cannot_come_back() -> None:
    with pytest.raises(TypeError, match="Linear"):
        thaw(Other("Linear"))


@pytest.mark.parametrize("nest", [lambda one: one, lambda one: [(one,)], lambda one: {"W": one}])
@pytest.mark.parametrize(
    "record", [tensor([1.0]), ListValue("tuple", ()), DictValue(()), Other("Tensor")]
)
def test_an_answer_holds_no_record_of_the_kit(nest: Any, record: object) -> None:
    with pytest.raises(TypeError, match="record of the kit"):
        freeze_answer(nest(record))


@pytest.mark.filterwarnings("error")
def test_a_signalling_nan_is_read_without_a_warning() -> None:
    array = np.frombuffer(b"\x01\x00\x80\x7f" * 4, dtype="<f4")

    assert np.isnan(numbers_in(Array("ndarray", "float32", array))).all()


def test_the_parts_of_a_value_come_in_order() -> None:
    value = freeze({"a": [1, (2.5, None)], 3: b"x"})
    found = [part for part in parts_in(value) if not isinstance(part, DictValue | ListValue)]
    assert found == ["a", 1, 2.5, None, 3, b"x"]
    assert [type(part) for part in parts_in(value)].count(ListValue) == 2
    assert list(parts_in(None)) == [None]


def test_each_array_of_a_value_is_changed_and_nothing_else() -> None:
    value = freeze({"a": [np.ones(2), (np.zeros(1), "text")], "b": 2.0})
    changed = with_arrays(value, lambda array: replace(array, data=array.data + 1))
    assert identical(changed, freeze({"a": [np.full(2, 2.0), (np.ones(1), "text")], "b": 2.0}))
    assert identical(
        with_arrays(value, lambda _: None), freeze({"a": [None, (None, "text")], "b": 2.0})
    )


NAN = float("nan")
UNLIKE: tuple[object, ...] = (
    None, True, 1, 1.0, NAN, "1", "nan", b"1", Other("Thing"), [], (), {}, [1], [1, None], [[1]], [True], (1,),
    {"1": 1}, {1: "1"}, {"1": 1, "2": None}, [{"1": 1}], np.float64(1), np.ones(1), np.ones((1, 1)),
    np.ones(1, np.float32), np.array([-0.0]), np.zeros(1), torch.ones(1), torch.ones(1, requires_grad=True),
    torch.nn.Parameter(torch.ones(1)),
)  # fmt: skip


def test_only_the_same_is_identical() -> None:
    for number, one in enumerate(UNLIKE):
        for other_number, other in enumerate(UNLIKE):
            same = number == other_number
            assert identical(freeze(one), freeze(other)) is same, (one, other)
            assert identical(freeze([one, 2]), freeze([other, 2])) is same, (one, other)
            assert identical(freeze([[one], 2]), freeze([[other], 2])) is same, (one, other)
