"""The numbers that a student sees are the student's own."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from autograder.assignment.checks import VALUE, Check, check, declared
from autograder.compare import Difference, Right, compare
from autograder.explain.feedback_text import numbers_blocks
from autograder.explain.own_numbers import MOST_COLUMNS, MOST_ROWS, own_numbers
from autograder.records import from_json, to_json
from autograder.reports.number_tables import own_table
from autograder.results import Numbers
from autograder.values.values import Value, freeze, printed, tensor

pytestmark = pytest.mark.unit

SHARES = np.array([[0.25, 0.75], [0.5, 0.5], [0.9, 0.1]])


BATCH = np.stack([SHARES, SHARES[::-1]])


def checked(**options: Any) -> Check:
    @check(points=1, **options)
    def test_step(student: object, case: object) -> None:
        """A matrix."""

    return declared(test_step)


WHOLE = checked(axes=("queries", "keys"))
PARTS = checked(returns=("output", "weights"), axes={"weights": ("queries", "keys")})
OF_A_BATCH = checked(axes=("sequences", "queries", "keys"))
OF_HEADS = checked(axes=("sequences", "heads", "queries", "keys"))


def difference(seen: object, wanted: object, slack: float = 1) -> Difference:
    found = compare(Right(freeze(wanted)), freeze(seen), slack).difference
    assert found is not None
    return found


def numbers(seen: object, wanted: object, of: Check = WHOLE, criterion: str = VALUE) -> Numbers:
    found = own_numbers(of, criterion, difference(seen, wanted))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("of", "criterion", "seen", "wanted", "part", "axes", "place"),
    [
        (WHOLE, VALUE, SHARES + 1, SHARES, "", ("queries", "keys"), ""),
        (PARTS, VALUE, (SHARES + 1, SHARES), (SHARES, SHARES), "output", (), ""),
        (PARTS, VALUE, (SHARES, SHARES + 1), (SHARES, SHARES), "weights", ("queries", "keys"), ""),
        (WHOLE, "gradients", SHARES + 1, SHARES, "gradients", (), ""),
        (WHOLE, VALUE, BATCH + 1, BATCH, "", (), "part [0]"),
        (OF_A_BATCH, VALUE, np.concatenate([BATCH] * 2), BATCH, "", (), "part [0]"),
        (OF_A_BATCH, VALUE, SHARES + 1, SHARES, "", (), ""),
        (WHOLE, VALUE, SHARES.T, SHARES, "", (), ""),
        (OF_A_BATCH, VALUE, BATCH[:, 1:], BATCH, "", (), "sequence 1"),
    ],
)
def test_rows_and_columns_have_the_names_of_the_step(
    of: Check, criterion: str, seen: object, wanted: object, part: str, axes: tuple[str, ...], place: str
) -> None:  # fmt: skip
    found = numbers(seen, wanted, of, criterion)
    assert (found.part, found.axes, found.place) == (part, axes, place)


def test_sums_are_those_of_the_answer() -> None:
    transposed = SHARES / SHARES.sum(0)
    found = numbers(transposed, SHARES)
    assert found.row_sums == tuple(np.round(transposed.sum(1), 4))
    assert found.column_sums == pytest.approx((1, 1))
    found = numbers(np.array([[np.nan, 1.0], [np.inf, 1.0], [0.5, 0.5]]), SHARES)
    assert (found.row_sums, found.rows[0]) == (("nan", "inf", 1.0), ("nan", 1.0))
    found = numbers(SHARES, SHARES * 2)
    assert found.row_sums == found.column_sums == (), "rows that need not sum to 1"


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
    ("dtype", "odd"), [("bool", 0), ("int8", 0), ("float16", 0), ("complex64", 0), ("nan", 3)]
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


def test_numbers_within_the_tolerance_of_a_criterion_are_right() -> None:
    near = BATCH.copy()
    near[0] += 3e-4
    near[1] += 1
    found = difference(near, BATCH, 5)
    both = [own_numbers(OF_A_BATCH, VALUE, found, slack=slack) for slack in (1, 5)]
    assert [one and one.place for one in both] == ["sequence 1", "sequence 2"]


def test_a_matrix_of_several_heads_has_the_names_of_both() -> None:
    seen = np.stack([BATCH, BATCH])
    seen[1, 0] += 1
    found = numbers(seen, np.stack([BATCH, BATCH]), OF_HEADS)
    assert own_table(found).place == "sequence 2, head 1"


def test_the_expected_numbers_have_the_printed_digits_and_gaps() -> None:
    right = Right(printed([[0.1234, np.nan], [0.5, 1.0]]), 2)
    found = compare(right, tensor([[0.1234, 7.0], [0.5, 2.0]])).difference
    assert found is not None
    shown = own_numbers(WHOLE, VALUE, found, decimals=2, expected=True)
    head, lines = numbers_blocks(shown, "Expected")
    assert head.text.startswith("Expected, ")
    assert [line.split() for line in lines.text.split("\n")] == [["0.12"], ["0.50", "1.00"]]


def test_any_two_shapes_can_be_shown_below_each_other() -> None:
    shapes: tuple[tuple[int, ...], ...] = ((), (4,), (2, 3), (2, 2, 2), (13, 1), (1, 13))
    for shape, other in itertools.product((*shapes, (3, 4, 12, 11)), shapes):
        found = difference(tensor(np.zeros(other)), tensor(np.ones(shape)))
        for expected in (False, True):
            shown = own_numbers(WHOLE, VALUE, found, expected=expected)
            assert len(numbers_blocks(shown)) == 2, (shape, other)
