"""The numbers that a student sees are the student's own."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.assignment.checks import VALUE, check, declared
from autograder.compare import Difference, Right, compare
from autograder.explain.feedback_text import feedback_blocks
from autograder.explain.own_numbers import SHOWN_COLUMNS, SHOWN_ROWS, axes_of, own_numbers
from autograder.reasons import Reason
from autograder.records import from_json, to_json
from autograder.results import Feedback, Numbers, Outcome, as_markdown
from autograder.values.values import Value, freeze

pytestmark = pytest.mark.unit

SHARES = np.array([[0.25, 0.75], [0.5, 0.5], [0.9, 0.1]])


@check(points=1, axes=("queries", "keys"))
def test_whole(student: object, case: object) -> None:
    """A matrix."""


@check(points=1, returns=("output", "weights"), axes={"weights": ("queries", "keys")})
def test_parts(student: object, case: object) -> None:
    """Two matrices."""


WHOLE, PARTS = declared(test_whole), declared(test_parts)
del test_whole, test_parts


def difference(seen: object, wanted: object) -> Difference:
    found = compare(Right(freeze(wanted)), freeze(seen)).difference
    assert found is not None
    return found


def numbers(seen: object, wanted: object) -> Numbers:
    found = own_numbers(WHOLE, VALUE, difference(seen, wanted))
    assert found is not None
    return found


def test_a_large_answer_is_cut() -> None:
    found = numbers(np.ones((SHOWN_ROWS + 1, SHOWN_COLUMNS + 2)), SHARES)
    assert len(found.rows) == SHOWN_ROWS
    assert {len(row) for row in found.rows} == {SHOWN_COLUMNS}
    assert found.more_rows
    assert found.more_columns


def test_a_part_has_its_own_axes() -> None:
    output = difference((SHARES + 1, SHARES), (SHARES, SHARES))
    weights = difference((SHARES, SHARES + 1), (SHARES, SHARES))
    assert axes_of(PARTS, VALUE, output) == ()
    assert axes_of(PARTS, VALUE, weights) == ("queries", "keys")
    assert axes_of(WHOLE, "gradients", difference(SHARES + 1, SHARES)) == ()
    assert axes_of(OF_A_BATCH, VALUE, difference(SHARES + 1, SHARES)) == ()


def test_no_expected_number_is_kept() -> None:
    wanted = np.array([[0.123456, 0.876544], [0.234567, 0.765433], [0.345678, 0.654322]])
    assert not {str(one)[:6] for one in wanted.flat} & set(repr(numbers(SHARES, wanted)).split())
    found = numbers(SHARES, wanted)
    assert found.rows == tuple(map(tuple, SHARES[:SHOWN_ROWS].tolist()))


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "complex64", "nan"])
def test_what_is_kept_of_any_kind_of_number_can_be_read_again(dtype: str) -> None:
    seen = np.full((1, 3), np.nan) if dtype == "nan" else np.eye(1, 3).astype(dtype)
    found = numbers(seen, SHARES)
    assert from_json(Numbers, to_json(found)) == found


@pytest.mark.parametrize("seen", [None, "words", (), np.zeros((0, 2))])
def test_an_answer_without_numbers_has_none(seen: Value) -> None:
    found = Difference((), "values", freeze(seen), freeze(SHARES))
    assert own_numbers(WHOLE, VALUE, found) is None


def test_the_text_shows_two_rows_of_six() -> None:
    seen = np.tile(np.arange(7.0), (3, 1))
    shown = Feedback(Outcome.WRONG, numbers=numbers(seen, SHARES))
    assert as_markdown(feedback_blocks(shown)).splitlines()[2:] == [
        "        0.000     1.000     2.000     3.000     4.000     5.000 ...",
        "        0.000     1.000     2.000     3.000     4.000     5.000 ...",
        "    ...",
    ]


def test_the_text_about_two_mistakes_shows_no_numbers() -> None:
    shown = Feedback(
        Outcome.WRONG,
        message="Two.",
        numbers=Numbers("a tensor", ((1.0,),), 1),
        reasons=(Reason.TWO_AT_ONCE,),
    )
    assert as_markdown(feedback_blocks(shown)) == "Two."


BATCH = np.stack([SHARES, SHARES[::-1]])


@check(points=1, axes=("sequences", "queries", "keys"))
def test_batch(student: object, case: object) -> None:
    """A matrix for each sequence."""


@check(points=1, axes=("sequences", "heads", "queries", "keys"))
def test_heads(student: object, case: object) -> None:
    """A matrix for each head of each sequence."""


OF_A_BATCH, OF_HEADS = declared(test_batch), declared(test_heads)
del test_batch, test_heads


def of_a_batch(seen: object, wanted: object) -> Numbers:
    found = own_numbers(OF_A_BATCH, VALUE, difference(seen, wanted))
    assert found is not None
    return found


def test_of_a_batch_the_first_sequence_with_a_wrong_number_is_shown() -> None:
    seen = np.stack([SHARES] * 3)
    seen[1:] += 1
    found = of_a_batch(seen, np.stack([SHARES] * 3))
    assert (found.place, found.rows) == ("sequence 2", ((1.25, 1.75), (1.5, 1.5)))
    assert found.more_rows


def test_numbers_within_the_tolerance_of_a_criterion_are_right() -> None:
    near = BATCH.copy()
    near[0] += 3e-4
    near[1] += 1
    found = compare(Right(freeze(BATCH)), freeze(near), 5).difference
    assert found is not None
    strict = own_numbers(OF_A_BATCH, VALUE, found)
    lenient = own_numbers(OF_A_BATCH, VALUE, found, slack=5)
    assert strict is not None
    assert lenient is not None
    assert (strict.place, lenient.place) == ("sequence 1", "sequence 2")


def test_a_matrix_of_several_heads_has_the_names_of_both() -> None:
    heads = np.stack([BATCH, BATCH])
    seen = heads.copy()
    seen[1, 0] += 1
    found = own_numbers(OF_HEADS, VALUE, difference(seen, heads))
    assert found is not None
    assert found.place == "sequence 2, head 1"


def test_a_batch_without_names_has_indices() -> None:
    found = own_numbers(WHOLE, VALUE, difference(BATCH + 1, BATCH))
    assert found is not None
    assert found.place == "part [0]"


def test_a_batch_of_another_shape_has_no_names() -> None:
    found = of_a_batch(np.concatenate([BATCH] * 2), BATCH)
    assert found.place == "part [0]"


def test_the_text_names_the_sequence_of_its_rows() -> None:
    seen = BATCH.copy()
    seen[1] += 1
    shown = Feedback(Outcome.WRONG, numbers=of_a_batch(seen, BATCH))
    assert as_markdown(feedback_blocks(shown)).splitlines() == [
        "What came back, a NumPy array of shape (2, 3, 2), float64; sequence 2:",
        "",
        "        1.900     1.100",
        "        1.500     1.500",
        "    ...",
    ]
