from __future__ import annotations

import numpy as np
import pytest

from autograder.values.extent import Extent, extent, limit_beside
from autograder.values.values import Array, Other, Value, freeze, tensor

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (None, Extent(parts=1)),
        (3, Extent(parts=1, numbers=1)),
        ("word", Extent(parts=1, characters=4)),
        (Other("generator"), Extent(parts=1)),
        (tensor([[1.0, 2.0, 3.0]]), Extent(parts=1, numbers=3, dimension=3)),
        (Array("ndarray", "float64", np.zeros((12_000, 0))), Extent(parts=1, dimension=12_000)),
        (freeze([1, (2, {"key": 3})]), Extent(parts=7, numbers=3, characters=3)),
    ],
)
def test_a_value_is_as_large_as_its_parts(value: Value, wanted: Extent) -> None:
    assert extent(value) == wanted


@pytest.mark.parametrize(
    "value",
    [
        freeze([0.0] * 9_000),
        tensor(np.zeros((1_000_000, 3))),
        tensor(np.zeros((12_000, 0))),
        "x" * 90_000,
        freeze(dict.fromkeys(range(2000))),
    ],
)
def test_what_is_far_larger_than_the_known_answers_is_over_the_limit(value: Value) -> None:
    assert not extent(value).within(limit_beside([tensor([[1.0, 2.0]]), None]))


def test_what_is_somewhat_larger_is_within_the_limit() -> None:
    limit = limit_beside([tensor(np.zeros((6, 4)))])
    for value in (tensor(np.zeros((6, 6, 4))), freeze([1.0] * 24), "a sentence", None):
        assert extent(value).within(limit)


def test_a_large_known_answer_leaves_room_for_others_of_its_size() -> None:
    known = tensor(np.zeros((50_000, 4)))
    assert extent(known).within(limit_beside([known]))
