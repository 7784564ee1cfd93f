"""Drawn inputs: sizes that cannot be mistaken for each other, and numbers that stay the same for one seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autograder.assignment.cases import INPUT_SCALE, WEIGHT_SCALE, Draw

seeds = st.integers(0, 2**128 - 1)


@pytest.mark.unit
@settings(max_examples=40)
@given(seeds, st.text(), st.integers(0, 99))
def test_sizes_cannot_be_mistaken_for_each_other(seed: int, step: str, attempt: int) -> None:
    earlier = Draw(seed, "assignment", step, 0, attempt)
    for draw in (earlier, Draw(seed, "assignment", step, 1, attempt, unlike=earlier)):
        assert len({draw.tokens, draw.other_tokens, draw.d_in, draw.d_k}) == 4
        assert all(3 <= size <= 7 for size in draw.sizes)
        assert draw.d_k not in (1, 2, 4)
    assert all(size != before for size, before in zip(draw.sizes, earlier.sizes, strict=True))


@pytest.mark.unit
@settings(max_examples=40)
@given(seeds, st.lists(st.integers(1, 4), min_size=1, max_size=9))
def test_each_integer_differs_from_that_of_an_earlier_draw(seed: int, widths: list[int]) -> None:
    """Except where there is only one, or where the earlier draw had other limits."""
    earlier = Draw(seed, 0)
    before = [earlier.integer(-1, -1 + width) for width in widths]
    draw = Draw(seed, 1, unlike=earlier)
    numbers = [draw.integer(-1, -1 + width) for width in widths]

    for number, other, width in zip(numbers, before, widths, strict=True):
        assert -1 <= number < -1 + width
        assert (number == other) is (width == 1)
    assert 10 <= draw.integer(10, 12) < 12


@pytest.mark.unit
def test_each_size_is_drawn_sometimes() -> None:
    draws = [Draw(seed) for seed in range(300)]

    assert {draw.d_k for draw in draws} == {3, 5, 6}
    for name in ("tokens", "other_tokens", "d_in"):
        assert {getattr(draw, name) for draw in draws} == {3, 4, 5, 6, 7}


# A seed, an assignment, a step, a kind of case, and how often it was drawn.
origins = st.tuples(
    seeds,
    st.sampled_from(("self_attention", "numpy_attention")),
    st.text(),
    st.integers(0, 1),
    st.integers(),
)


@pytest.mark.unit
@settings(max_examples=40)
@given(origins, st.data())
def test_origins_that_differ_anywhere_give_other_numbers(
    origin: tuple[object, ...], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(origin) - 1))
    part = data.draw(origins)[place]
    assume(part != origin[place])
    other = (*origin[:place], part, *origin[place + 1 :])
    assert Draw(*origin).normal(4).tolist() != Draw(*other).normal(4).tolist()


@pytest.mark.unit
def test_numbers_are_normal_of_the_documented_scale() -> None:
    draw = Draw(0)
    for numbers, scale in (
        (draw.normal(100_000), 1.3),
        (draw.tensor(100_000).data, 1.3),
        (draw.weights(100_000).data, 0.6),
        (draw.normal(100_000, scale=2.0), 2.0),
    ):
        assert abs(float(numbers.mean())) < 0.02 * scale
        assert abs(float(numbers.std()) - scale) < 0.02 * scale
        assert float((np.abs(numbers) < scale).mean()) == pytest.approx(0.6827, abs=0.01)
    assert (INPUT_SCALE, WEIGHT_SCALE) == (1.3, 0.6)


@pytest.mark.unit
def test_numbers_can_be_retyped_and_tensors_are_of_single_precision() -> None:
    draw = Draw(0)
    numbers = draw.normal(50, 50)
    np.testing.assert_array_equal(numbers, np.round(numbers, 4))
    for array in (draw.tensor(50, 50), draw.weights(50, 50)):
        rounded = np.round(array.data.astype(np.float64), 4)
        np.testing.assert_array_equal(array.data, rounded.astype(np.float32))
    for array in (draw.tensor(2, 3), draw.weights(2, 3), draw.rows_that_sum_to_one(2, 3)):
        assert (array.kind, array.dtype, array.data.shape) == ("tensor", "float32", (2, 3))
        assert array.data.dtype == np.float32


@pytest.mark.unit
@settings(max_examples=40)
@given(seeds)
def test_rows_of_weights_are_positive_and_sum_to_one(seed: int) -> None:
    weights = Draw(seed).rows_that_sum_to_one(4, 6).data
    assert (weights > 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-6)
    assert not np.allclose(weights.sum(axis=0), 1, atol=1e-3)
