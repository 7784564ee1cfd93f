"""How far rounding may carry an answer, and what is still recognised."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.compare import RELATIVE, agrees
from autograder.exam.rounding import agrees_up_to_rounding, relative_tolerance, shaken
from autograder.values.values import Value, freeze, identical, tensor
from tests.golden_files import same_text

pytestmark = pytest.mark.unit


def test_shaken_inputs_are_the_same_but_for_their_last_digits() -> None:
    inputs: dict[str, Value] = {
        "x": tensor(np.linspace(-3, 3, 12, dtype=np.float32)),
        "weights": freeze([np.ones(3), np.arange(3)]),
        "d_k": 3,
    }
    moved = shaken(inputs)

    assert all(identical(moved[name], value) for name, value in shaken(inputs).items())
    assert moved["d_k"] == 3
    assert all(agrees(inputs[name], moved[name]) for name in inputs)
    assert not np.array_equal(moved["x"].data, inputs["x"].data)  # type: ignore[union-attr]
    assert np.array_equal(moved["weights"].items[1].data, np.arange(3))  # type: ignore[union-attr]


def test_an_answer_that_keeps_its_digits_has_the_usual_tolerance() -> None:
    answer = np.array([1.0, 2.0, 1000.0])
    assert relative_tolerance(freeze(answer), freeze(answer * (1 + 5e-7))) == RELATIVE


def test_an_answer_that_loses_its_digits_has_a_wider_one() -> None:
    answer, moved = np.array([1.0, 2000.0]), np.array([1.0, 2000.6])
    relative = relative_tolerance(freeze(answer), freeze(moved))

    assert relative == pytest.approx(4 * 0.6 / 2000)
    assert agrees(freeze(answer), freeze(np.array([1.0, 2001.9])), relative)
    assert not agrees(freeze(answer), freeze(np.array([1.01, 2000.0])), relative)


def test_the_number_that_moves_furthest_decides() -> None:
    answer, moved = np.array([1000.0, 2000.0]), np.array([1000.1, 2000.6])
    assert relative_tolerance(freeze(answer), freeze(moved)) == pytest.approx(4 * 0.6 / 2000)


def test_an_answer_that_jumps_has_the_usual_tolerance() -> None:
    assert (
        relative_tolerance(freeze(np.array([3.0, 1.0])), freeze(np.array([2.0, 1.0]))) == RELATIVE
    )


def test_the_reference_is_asked_again_only_after_a_near_miss() -> None:
    answer = freeze(np.array([1.0, 2000.0]))
    asked: list[str] = []

    def move() -> tuple[Value]:
        asked.append("once")
        return (freeze(np.array([1.0, 2000.6])),)

    assert agrees_up_to_rounding(answer, answer, move)
    assert not agrees_up_to_rounding(answer, freeze(np.array([5.0, 2000.0])), move)
    assert asked == []
    assert agrees_up_to_rounding(answer, freeze(np.array([1.0, 2001.0])), move)
    assert asked == ["once"]
    assert not agrees_up_to_rounding(answer, freeze(np.array([1.0, 2001.0])), lambda: None)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("yours sum to 0.131", "yours sum to 0.132", True),
        ("yours sum to 0.131", "yours sum to 0.133", False),
        ("yours sum to 0.13", "yours sum to 0.131", False),
        ("42 of 42 numbers", "41 of 42 numbers", False),
        ("-0.001 is right", "0.000 is right", True),
        ("0.001 is right", "0.001 is wrong", False),
        ("", "1.0", False),
    ],
)
def test_golden_texts_may_differ_in_the_last_digit_of_a_number(
    one: str, other: str, same: bool
) -> None:
    assert same_text(one, other) is same
