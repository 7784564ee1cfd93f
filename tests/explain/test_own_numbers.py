"""The numbers that a student sees are the student's own."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.assignment.checks import VALUE, check, declared
from autograder.compare import Difference, Right, compare
from autograder.explain.feedback_text import feedback_blocks
from autograder.explain.own_numbers import MOST_COLUMNS, MOST_ROWS, own_numbers
from autograder.reasons import Reason
from autograder.records import from_json, to_json
from autograder.reports.number_tables import own_table
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


def test_rows_and_columns_have_the_names_of_the_step() -> None:
    assert numbers(SHARES + 1, SHARES).axes == ("queries", "keys")


def test_a_part_has_its_own_names() -> None:
    output = own_numbers(PARTS, VALUE, difference((SHARES + 1, SHARES), (SHARES, SHARES)))
    weights = own_numbers(PARTS, VALUE, difference((SHARES, SHARES + 1), (SHARES, SHARES)))
    assert output is not None
    assert (output.part, output.axes) == ("output", ())
    assert weights is not None
    assert (weights.part, weights.axes) == ("weights", ("queries", "keys"))


def test_another_criterion_has_no_names() -> None:
    found = own_numbers(WHOLE, "gradients", difference(SHARES + 1, SHARES))
    assert found is not None
    assert (found.part, found.axes) == ("gradients", ())


def test_sums_are_those_of_the_answer() -> None:
    transposed = SHARES / SHARES.sum(0)
    found = numbers(transposed, SHARES)
    assert found.row_sums == tuple(np.round(transposed.sum(1), 4))
    assert found.column_sums == pytest.approx((1, 1))


def test_rows_that_need_not_sum_to_one_have_no_sums() -> None:
    found = numbers(SHARES, SHARES * 2)
    assert found.row_sums == found.column_sums == ()


def test_a_sum_that_is_no_number_is_a_text() -> None:
    found = numbers(np.array([[np.nan, 1.0], [np.inf, 1.0], [0.5, 0.5]]), SHARES)
    assert found.row_sums == ("nan", "inf", 1.0)
    assert found.rows[0] == ("nan", 1.0)


def test_a_large_answer_is_cut() -> None:
    found = numbers(np.ones((MOST_ROWS + 1, MOST_COLUMNS + 2)), SHARES)
    assert len(found.rows) == MOST_ROWS
    assert {len(row) for row in found.rows} == {MOST_COLUMNS}
    assert found.more_rows
    assert found.more_columns
    assert len(found.row_sums) == MOST_ROWS
    assert set(found.row_sums) == {MOST_COLUMNS + 2.0}


def test_no_expected_number_is_kept() -> None:
    wanted = np.array([[0.123456, 0.876544], [0.234567, 0.765433], [0.345678, 0.654322]])
    assert not {str(one)[:6] for one in wanted.flat} & set(repr(numbers(SHARES, wanted)).split())
    found = numbers(SHARES, wanted)
    assert found.rows == tuple(map(tuple, SHARES.tolist()))
    assert found.row_sums == (1, 1, 1)


@pytest.mark.parametrize(
    ("dtype", "odd"),
    [("bool", 0), ("int8", 0), ("float16", 0), ("complex64", 0), ("nan", 3)],
)
def test_what_is_kept_of_any_kind_of_number_can_be_read_again(dtype: str, odd: int) -> None:
    seen = np.full((1, 3), np.nan) if odd else np.eye(1, 3).astype(dtype)
    found = numbers(seen, SHARES)
    assert from_json(Numbers, to_json(found)) == found
    assert any("nan or inf" in words for words in own_table(found).says) is bool(odd)


@pytest.mark.parametrize("seen", [None, "words", (), np.zeros((0, 2))])
def test_an_answer_without_numbers_has_none(seen: Value) -> None:
    found = Difference((), "values", freeze(seen), freeze(SHARES))
    assert own_numbers(WHOLE, VALUE, found) is None


def test_the_text_shows_two_rows_of_six() -> None:
    rows = tuple(tuple(float(column) for column in range(7)) for _ in range(3))
    shown = Feedback(Outcome.WRONG, numbers=Numbers("a tensor", rows, 1))
    assert as_markdown(feedback_blocks(shown)).splitlines()[2:] == [
        "          0.0       1.0       2.0       3.0       4.0       5.0 ...",
        "          0.0       1.0       2.0       3.0       4.0       5.0 ...",
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
    table = own_table(of_a_batch(seen, np.stack([SHARES] * 3)))
    assert (table.place, table.axes) == ("sequence 2", ("queries", "keys"))
    assert [label for label, _ in table.rows] == ["query 1", "query 2", "query 3"]
    assert [cells[0].text for _, cells in table.rows] == ["1.250", "1.500", "1.900"]
    assert table.says[0] == "Rows are queries, columns are keys."
    assert "3 of your 3 rows do not sum to 1." in table.says
    assert [one.text for one in table.column_sums] == ["4.65", "4.35"]


def test_columns_that_sum_to_one_are_seen_in_a_batch() -> None:
    turned = BATCH / BATCH.sum(-2, keepdims=True)
    assert "Each of your columns sums to 1 instead." in own_table(of_a_batch(turned, BATCH)).says


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
    assert own_table(found).place == "sequence 2, head 1"


def test_a_batch_without_names_has_indices() -> None:
    found = own_numbers(WHOLE, VALUE, difference(BATCH + 1, BATCH))
    assert found is not None
    assert found.place == "part [0]"


def test_a_batch_of_another_shape_has_no_names() -> None:
    found = of_a_batch(np.concatenate([BATCH] * 2), BATCH)
    assert (found.axes, found.place) == ((), "part [0]")


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


def test_names_that_do_not_fit_the_axes_are_left_out() -> None:
    found = own_numbers(OF_A_BATCH, VALUE, difference(SHARES + 1, SHARES))
    assert found is not None
    assert found.axes == ()
    assert [label for label, _ in own_table(found).rows] == ["1", "2", "3"]
