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


KNOWN = [tensor(np.zeros((6, 4))), None]
LARGE = tensor(np.zeros((50_000, 4)))


@pytest.mark.parametrize(
    ("value", "known", "within"),
    [
        (freeze([0.0] * 9_000), KNOWN, False),
        (tensor(np.zeros((1_000_000, 3))), KNOWN, False),
        (tensor(np.zeros((12_000, 0))), KNOWN, False),
        ("x" * 90_000, KNOWN, False),
        (freeze(dict.fromkeys(range(2000))), KNOWN, False),
        (tensor(np.zeros((6, 6, 4))), KNOWN, True),
        (freeze([1.0] * 24), KNOWN, True),
        ("a sentence", KNOWN, True),
        (None, KNOWN, True),
        (LARGE, [LARGE], True),
    ],
)
def test_the_limit_is_far_above_the_known_answers(
    value: Value, known: list[Value], within: bool
) -> None:
    assert extent(value).within(limit_beside(known)) is within
