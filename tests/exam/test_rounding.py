"""How far rounding may carry an answer, and what is still recognised."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.compare import RELATIVE, agrees
from autograder.exam.rounding import agrees_up_to_rounding, relative_tolerance, shaken, without_each
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


def test_each_array_of_real_numbers_is_replaced_by_zeros_in_turn() -> None:
    two: dict[str, Value] = {"x": freeze(np.ones(2)), "weights": freeze({"q": np.ones(1)})}
    inputs = {"n": freeze(np.arange(3)), **two, "d_k": 3}
    found = list(without_each(inputs))

    assert len(found) == len(two)
    for changed, name, zeros in zip(found, two, (np.zeros(2), {"q": np.zeros(1)}), strict=True):
        assert identical(changed[name], freeze(zeros))
        assert all(identical(changed[one], inputs[one]) for one in inputs if one != name)


@pytest.mark.parametrize(
    ("answer", "moved", "relative"),
    [
        ([1.0, 2.0, 1000.0], [1.0000005, 2.000001, 1000.0005], RELATIVE),
        ([1.0, 2000.0], [1.0, 2000.6], 4 * 0.6 / 2000),
        ([1000.0, 2000.0], [1000.1, 2000.6], 4 * 0.6 / 2000),  # the furthest decides
        ([3.0, 1.0], [2.0, 1.0], RELATIVE),  # it jumps
    ],
)
def test_an_answer_that_loses_its_digits_has_a_wider_tolerance(
    answer: list[float], moved: list[float], relative: float
) -> None:
    found = relative_tolerance(freeze(np.array(answer)), freeze(np.array(moved)))
    assert found == pytest.approx(relative)


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


def test_golden_texts_may_differ_in_the_last_digit_of_a_number() -> None:
    assert same_text("yours sum to 0.131", "yours sum to 0.132")
    assert same_text("-0.001 is right", "0.000 is right")
    for one, other in (
        ("yours sum to 0.131", "yours sum to 0.133"),
        ("yours sum to 0.13", "yours sum to 0.131"),
        ("42 of 42 numbers", "41 of 42 numbers"),
        ("0.001 is right", "0.001 is wrong"),
        ("", "1.0"),
    ):
        assert not same_text(one, other)
