"""Two answers have one sketch if they are the same answer, up to rounding."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from autograder.exam.rounding import shaken
from autograder.exam.sketch import Sketch, Sketched, sketched
from autograder.values.values import Array, DictValue, ListValue, Other, Value, freeze, tensor

pytestmark = pytest.mark.unit

RANDOM = np.random.default_rng(7)
MATRIX = RANDOM.normal(size=(5, 4)).astype(np.float32)
SMALL = RANDOM.normal(size=(2, 3)).astype(np.float32)


def fits(seen: Value, known: Value) -> bool:
    return sketched(seen).fits(sketched(known).sketch)


def whole(data: Any) -> Value:
    return Array("tensor", "int64", np.asarray(data))


VALUES: dict[str, Value] = {
    "a matrix": tensor(MATRIX),
    "few numbers": tensor(SMALL),
    "a number": 2.5,
    "a whole number": 3,
    "a truth": True,
    "a text": "Your journey",
    "nothing": None,
    "bytes": b"x",
    "an object": Other("Linear"),
    "no numbers": tensor(np.zeros((0, 3), np.float32)),
    "parts": ListValue("tuple", (tensor(MATRIX), tensor(SMALL))),
    "a list": freeze([1, 2.0, "three"]),
    "a dictionary": DictValue((("your", 0), ("journey", 1))),
    "different parts": ListValue("different", (tensor(MATRIX), tensor(MATRIX + 1))),
    "with nan": tensor(np.where(MATRIX > 0, np.float32("nan"), MATRIX)),
    "with inf": tensor(np.where(MATRIX > 0, np.float32("inf"), MATRIX)),
    "only inf": tensor(np.full((3, 3), np.float32("-inf"))),
    "integers": whole(np.arange(12).reshape(3, 4)),
    "float64": Array("ndarray", "float64", MATRIX.astype(np.float64)),
    "a parameter": Array("parameter", "float32", MATRIX, requires_grad=True),
}


def test_an_answer_fits_itself_with_other_last_digits_too_and_no_other() -> None:
    for name, value in VALUES.items():
        moved = shaken({"it": value})["it"]
        assert fits(moved, value), name
        assert fits(value, moved), name
        assert [other for other, one in VALUES.items() if fits(value, one)] == [name]


CHANGED: dict[str, tuple[Value, Value]] = {
    "transposed": (tensor(MATRIX @ MATRIX.T), tensor((MATRIX[::-1] @ MATRIX.T).T)),
    "a square matrix transposed": (tensor(MATRIX[:4]), tensor(MATRIX[:4].T.copy())),
    "rows exchanged": (tensor(MATRIX), tensor(MATRIX[[1, 0, 2, 3, 4]])),
    "columns exchanged": (tensor(MATRIX), tensor(MATRIX[:, [0, 1, 3, 2]])),
    "two numbers exchanged": (tensor(SMALL), tensor(SMALL[:, [1, 0, 2]])),
    "one number moved": (tensor(MATRIX), tensor(MATRIX + 0.02 * (MATRIX.max() == MATRIX))),
    "all moved": (tensor(MATRIX), tensor(MATRIX + np.float32(0.01))),
    "another shape": (tensor(MATRIX), tensor(MATRIX.reshape(4, 5))),
    "one axis more": (tensor(MATRIX), tensor(MATRIX[None])),
    "frozen": (VALUES["a parameter"], Array("parameter", "float32", MATRIX)),
    "whole numbers": (tensor(np.ones((3, 3), np.float32)), whole(np.ones((3, 3), np.int64))),
    "a truth and a 1": (True, 1),
    "a 1 with a point": (1.0, 1),
    "another number": (2.5, 2.501),
    "a text in another case": ("Your", "your"),
    "a text for a number": ("1", 1),
    "keys exchanged": (VALUES["a dictionary"], DictValue((("your", 1), ("journey", 0)))),
    "a key renamed": (VALUES["a dictionary"], DictValue((("Your", 0), ("journey", 1)))),
    "keys and values exchanged": (VALUES["a dictionary"], DictValue(((0, "your"), (1, "journey")))),
    "parts exchanged": (
        ListValue("tuple", (tensor(MATRIX), tensor(2 * MATRIX))),
        ListValue("tuple", (tensor(2 * MATRIX), tensor(MATRIX))),
    ),
    "a part left out": (freeze([1, 2, 3]), freeze([1, 2])),
    "parts in parts": (freeze([[1, 2], [3]]), freeze([[1], [2, 3]])),
    "another object": (Other("Linear"), Other("Identity")),
    "equal parts": (
        ListValue("different", (tensor(MATRIX), tensor(MATRIX), tensor(MATRIX + 1))),
        ListValue("different", (tensor(MATRIX), tensor(MATRIX + 1), tensor(MATRIX + 1))),
    ),
    "inf with another sign": (VALUES["only inf"], tensor(np.full((3, 3), np.float32("inf")))),
    "nan in place of 0": (math.nan, 0.0),
}


def test_another_answer_does_not_fit() -> None:
    for name, (one, other) in CHANGED.items():
        assert not fits(one, other), name
        assert not fits(other, one), name


def test_a_list_fits_a_tuple_and_a_number_fits_an_array_of_one() -> None:
    items = (tensor(MATRIX), 1.5)
    assert fits(ListValue("list", items), ListValue("tuple", items))
    assert fits(tensor(np.float32(1.5)), 1.5)
    assert fits(Array("ndarray", "float64", np.asarray(1.5)), tensor(np.float32(1.5)))
    assert fits(3, whole(3))


@pytest.mark.parametrize("size", [1e20, 1e99, 1e200, 1e300, 7e307])
def test_huge_numbers_fit_only_themselves(size: float) -> None:
    """Their sums may be infinite, and a tolerance that is infinite would let all answers fit."""
    huge = Array("ndarray", "float64", MATRIX.astype(np.float64) * size)
    assert fits(huge, huge)
    assert not fits(huge, Array("ndarray", "float64", MATRIX.astype(np.float64)))
    assert not fits(huge, Array("ndarray", "float64", 1.01 * huge.data))


@pytest.mark.parametrize("shape", [(2, 2), (3, 2), (4, 3), (5, 5), (7, 6)])
def test_of_two_thousand_random_pairs_none_fits(shape: tuple[int, int]) -> None:
    """400 pairs of each shape. Half of them are close: one number differs by 0.02."""
    for _ in range(200):
        first, second = RANDOM.normal(size=(2, *shape))
        near = first.copy()
        near[RANDOM.integers(shape[0]), RANDOM.integers(shape[1])] += 0.02
        seen = sketched(tensor(first.astype(np.float32)))
        for other in (second, near):
            assert not seen.fits(sketched(tensor(other.astype(np.float32))).sketch)


def test_a_sketch_of_many_numbers_holds_four_sums() -> None:
    many = sketched(tensor(MATRIX)).sketch
    assert len(many.numbers) == 4
    assert set(many.numbers).isdisjoint(MATRIX.ravel().tolist())


def test_the_tolerance_is_that_of_the_observed_answer() -> None:
    seen = Sketched(Sketch("number f[]", (1.0,)), (0.1,))
    assert seen.fits(Sketch("number f[]", (1.05,)))
    assert not seen.fits(Sketch("number f[]", (1.2,)))
    assert not seen.fits(Sketch("number i[]", (1.0,)))
