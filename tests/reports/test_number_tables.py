"""What came back beside what is right, as numbers that need no colour."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from autograder.assignment.checks import VALUE
from autograder.compare import Difference, Right, compare
from autograder.reports.number_tables import NumberTable, drawn, number_tables
from autograder.values.values import DictValue, ListValue, Other, Value, printed, tensor
from tests.explain.test_own_numbers import checked

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from autograder.reports.blocks import Drawn

pytestmark = pytest.mark.unit

SMALL = np.arange(6.0).reshape(2, 3)


def difference(right: Value, seen: Value, decimals: int | None = None) -> Difference:
    found = compare(Right(right, decimals), seen).difference
    assert found is not None
    return found


def tables(found: Difference, decimals: int | None = None, **options: Any) -> list[NumberTable]:
    return number_tables(checked(**options), VALUE, found, decimals=decimals)


def text_of(
    right: npt.ArrayLike, seen: npt.ArrayLike, dtype: str = "float32", **options: Any
) -> str:
    found = difference(tensor(right, dtype), tensor(seen, dtype))
    return drawn_one(tables(found, **options)).text


def drawn_one(tables: Sequence[NumberTable]) -> Drawn:
    (shown,) = drawn(tables)
    return shown


def changed(data: npt.NDArray[Any], place: tuple[int, ...], value: float) -> npt.NDArray[Any]:
    data = data.copy()
    data[place] = value
    return data


def test_a_matrix_has_its_wrong_entries_marked() -> None:
    assert text_of(SMALL, changed(SMALL, (1, 2), -5.0)) == (
        "Yours, a tensor of shape (2, 3), float32:\n"
        "             1        2        3\n"
        "    1    0.000    1.000    2.000\n"
        "    2    3.000    4.000 ! -5.000\n"
        "\n"
        "Expected, a tensor of shape (2, 3), float32:\n"
        "          1     2     3\n"
        "    1 0.000 1.000 2.000\n"
        "    2 3.000 4.000 5.000\n"
        "\n"
        "! marks what is not right."
    )


def test_a_vector_is_one_row_and_a_scalar_one_entry() -> None:
    text = text_of([1, 3], [1, 2])
    assert "of shape (2,), float32:\n            1       2\n    1   1.000 ! 2.000" in text
    assert "! 2.000\n" in text_of(1.0, 2.0)


def test_of_a_batch_the_first_wrong_sequence_has_its_tables() -> None:
    cube = np.zeros((4, 2, 2))
    seen = changed(changed(cube, (1, 0, 1), 9.0), (3, 1, 0), 8.0)
    assert text_of(cube, seen, axes=("sequences", "queries", "keys")) == (
        "Yours, sequence 2, a tensor of shape (4, 2, 2), float32:\n"
        "    keys          1       2\n"
        "    query 1   0.000 ! 9.000\n"
        "    query 2   0.000   0.000\n"
        "\n"
        "Expected, sequence 2, a tensor of shape (4, 2, 2), float32:\n"
        "    keys        1     2\n"
        "    query 1 0.000 0.000\n"
        "    query 2 0.000 0.000\n"
        "\n"
        "! marks what is not right."
    )


def test_a_matrix_has_the_names_of_its_axes_if_its_shape_is_right() -> None:
    seen = changed(SMALL, (1, 2), -5.0)
    axes = ("queries", "dimensions")
    text = text_of(SMALL, seen, axes=axes)
    assert "    dimensions        1        2        3\n    query 1  " in text
    yours, expected = text_of(SMALL, SMALL.T, axes=axes).split("Expected")
    assert "query" not in yours
    assert "query 1" in expected


def test_of_a_large_matrix_the_first_numbers_are_shown() -> None:
    shown = text_of(np.zeros((25, 31)), np.ones((25, 31)))
    assert "shape (25, 31), float32, the first rows and columns" in shown
    assert shown.count("! 1.000") == 144


def test_other_shapes_stand_beside_each_other_unmarked() -> None:
    shown = text_of(SMALL, SMALL.T)
    assert "Yours, a tensor of shape (3, 2)" in shown
    assert "Expected, a tensor of shape (2, 3)" in shown
    assert "! " not in shown
    assert "The shapes differ" in shown


def test_any_two_shapes_can_be_shown() -> None:
    shapes: tuple[tuple[int, ...], ...] = ((), (4,), (2, 3), (2, 2, 2), (13, 1), (1, 13))
    for shape, other in itertools.product((*shapes, (3, 4, 12, 11)), shapes):
        found = difference(tensor(np.ones(shape)), tensor(np.zeros(other)))
        assert len(tables(found)) == 2, (shape, other)
        for shown in drawn(tables(found)):
            assert shown.html, (shape, other)
            assert shown.text, (shape, other)


@pytest.mark.parametrize(
    ("right", "seen"),
    [
        (tensor(SMALL), None),
        (tensor(SMALL), "not registered as a parameter"),
        (tensor(SMALL), Other("Thing")),
        (tensor(SMALL), ListValue("list", (1.0,))),
        (ListValue("tuple", (1.0, 2.0)), ListValue("tuple", (1.0,))),
        (DictValue((("q", 1.0),)), DictValue((("k", 1.0),))),
        (tensor(np.zeros((0, 3))), tensor(SMALL)),
        ("a", "b"),
    ],
)
def test_what_is_no_two_sets_of_numbers_has_no_table(right: Value, seen: Value) -> None:
    found = difference(right, seen)
    assert tables(found) == []
    assert drawn(()) == []


def test_a_part_of_a_dict_is_named() -> None:
    right = DictValue((("sa_v1", tensor(SMALL)), ("sa_v2", tensor(SMALL))))
    seen = DictValue((("sa_v1", tensor(SMALL)), ("sa_v2", tensor(SMALL + 1))))
    found = difference(right, seen)
    shown = drawn_one(tables(found)).text
    assert "Yours, sa_v2, a tensor of shape (2, 3)" in shown


def test_printed_numbers_keep_their_digits_and_gaps() -> None:
    right = printed([[0.1234, np.nan], [0.5, 1.0]])
    seen = tensor([[0.1234, 7.0], [0.5, 2.0]])
    shown = drawn_one(tables(difference(right, seen, 2), decimals=2)).text
    assert "1   0.123   7.000\n    2   0.500 ! 2.000" in shown
    assert "1 0.12     \n    2 0.50 1.00" in shown


def test_a_wrong_entry_has_a_mark_and_a_border_and_names_are_escaped() -> None:
    found = difference(tensor(SMALL), tensor(changed(SMALL, (1, 2), -5.0)))
    html = drawn_one(tables(found, axes=("<b>s", "keys"))).html
    [wrong] = re.findall(r"<td [^>]*>! [^<]*</td>", html)
    assert "2px solid" in wrong
    assert "! -5.000" in wrong
    assert "<b>" not in html
    assert "&lt;b&gt; 1" in html
