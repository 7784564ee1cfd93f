"""What is said of a wrong answer that is none of a known mistake."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.explain.properties import WrongAnswer, another_kind, wrong_numbers
from autograder.explain.rules import explained
from autograder.values.values import freeze, tensor

pytestmark = pytest.mark.unit

RIGHT = np.array([[0.6, 0.3, 0.1], [0.2, 0.2, 0.6], [0.15, 0.25, 0.6], [0.5, 0.1234567, 0.3765433]])
BLEND = RIGHT * 7.3 - 2.0


def words(seen: object, right: object = BLEND, **evidence: object) -> str:
    one, other = (
        tensor(thing) if isinstance(thing, np.ndarray) else freeze(thing) for thing in (seen, right)
    )
    answer = WrongAnswer(one, other, **evidence)  # type: ignore[arg-type]
    return explained(another_kind(answer) or wrong_numbers(answer)).message


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (-BLEND, "Every number is -1 times the right one."),
        (2.5 * BLEND, "Every number is 2.5 times the right one."),
        (BLEND + 0.004 * np.sin(9 * BLEND), "none is off by more than 0.004"),
        (np.where(np.eye(4, 3) > 0, 0.0, BLEND), ""),
        (np.sqrt(np.abs(BLEND)) + np.sin(9 * BLEND), ""),
        (np.full((4, 3), np.nan), ""),
    ],
)
def test_a_property_is_put_into_words(seen: np.ndarray[Any, Any], said: str) -> None:
    found = words(seen)
    assert said in found
    assert bool(said) is bool(found)


def test_numbers_that_are_small_themselves_are_not_equal() -> None:
    assert "1e-06 times" in words(BLEND * 1e-6)
    small = BLEND * 1e-3
    assert words(np.where(np.eye(4, 3) > 0, small + 5e-5, small), small) != ""
    pair = freeze((tensor(np.float64(1.0)), tensor(np.float64(2.0))))
    assert words([[True], [(1.0,), None]], pair) == ""
    assert words(np.sin(9 * BLEND[:1]), BLEND[:1]) == "", "all numbers are wrong, not one row"


def test_no_right_number_is_shown() -> None:
    for seen in (-BLEND, BLEND + 1e-3, np.round(BLEND, 2), np.tile(BLEND[1], (4, 1))):
        text = words(seen)
        assert not any(f"{number:.3f}" in text for number in BLEND.ravel())
