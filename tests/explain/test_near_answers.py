"""What is said of answers that are wrong by little."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.explain.near_answers import how_far_off, is_rounded, nearly_right
from autograder.values.values import tensor

pytestmark = pytest.mark.unit

RIGHT = np.array([[2.4391, -1.2077, 0.6132], [0.0713, 1.9034, -3.3318]]) + 1.23e-5 * np.pi
BFLOAT = (RIGHT.astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32)


@pytest.mark.parametrize(
    ("seen", "key"),
    [
        (np.round(RIGHT, 2), "rounded"),
        (np.round(RIGHT, 0), "rounded"),
        (RIGHT.astype(np.float16).astype(np.float64), "half_precision"),
        (BFLOAT.astype(np.float64), "half_precision"),
        (RIGHT + 0.003 * np.sin(RIGHT), ""),
        (RIGHT.T, ""),
        (RIGHT + 1, ""),
        (RIGHT.astype(np.int64), ""),
        (np.where(RIGHT > 0, np.nan, RIGHT), ""),
    ],
)
def test_little_errors_are_told_by_their_numbers(seen: np.ndarray, key: str) -> None:
    found = nearly_right(tensor(seen), tensor(RIGHT), ())
    assert (found.key if found else "") == key


def test_numbers_that_are_small_themselves_are_not_nearly_right() -> None:
    assert nearly_right(tensor(RIGHT * 1e-3 + 1e-3), tensor(RIGHT * 1e-3), ()) is None


@pytest.mark.parametrize(
    ("scale", "off", "near"),
    [
        (1, 0.003, True),
        (100, 0.3, True),
        (100, 5, False),
        (0.001, 1e-5, True),
        (0.001, 0.001, False),
    ],
)
def test_an_answer_is_near_beside_1_and_beside_the_right_one(
    scale: float, off: float, near: bool
) -> None:
    right = scale * RIGHT
    assert how_far_off(right + off, right) == (pytest.approx(off) if near else None)


def test_rounded_numbers_are_seen_where_the_right_ones_are_not() -> None:
    rounded = np.round(RIGHT, 4)
    assert is_rounded(tensor(rounded), tensor(RIGHT))
    assert is_rounded(tensor(rounded.astype(np.float32)), tensor(RIGHT.astype(np.float32)))
    assert not is_rounded(tensor(RIGHT), tensor(RIGHT))
    assert not is_rounded(tensor(rounded), tensor(rounded))
    assert not is_rounded(tensor(rounded + 1e5), tensor(RIGHT + 1e5))
