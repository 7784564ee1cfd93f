"""What came back beside what is right, as numbers that need no colour."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from autograder.compare import Difference, Right, compare
from autograder.reports.number_tables import NumberTable, drawn, number_tables
from autograder.values.values import DictValue, ListValue, Other, Value, printed, tensor

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


def text_of(
    right: npt.ArrayLike, seen: npt.ArrayLike, dtype: str = "float32", **options: Any
) -> str:
    found = difference(tensor(right, dtype), tensor(seen, dtype))
    return drawn_one(number_tables(found, **options)).text


def drawn_one(tables: Sequence[NumberTable]) -> Drawn:
    (shown,) = drawn(tables)
    return shown


def changed(data: npt.NDArray[Any], place: tuple[int, ...], value: float) -> npt.NDArray[Any]:
    data = data.copy()
    data[place] = value
    return data


def test_a_matrix_has_its_wrong_entries_marked() -> None:
    assert text_of(SMALL, changed(SMALL, (1, 2), -5.0)) == (
        "Yours, shape (2, 3):\n"
        "              [0]       [1]       [2]\n"
        "    [0]    0.0000    1.0000    2.0000\n"
        "    [1]    3.0000    4.0000 ! -5.0000\n"
        "\n"
        "Expected, shape (2, 3):\n"
        "           [0]    [1]    [2]\n"
        "    [0] 0.0000 1.0000 2.0000\n"
        "    [1] 3.0000 4.0000 5.0000\n"
        "\n"
        "! marks what is not right."
    )


def test_a_vector_is_one_row_and_a_scalar_one_entry() -> None:
    text = text_of([1, 3], [1, 2])
    assert "Yours, shape (2,):\n          [0]      [1]\n       1.0000 ! 2.0000" in text
    assert text_of(1.0, 2.0).startswith("Yours, one number:\n     ! 2.0000\n")


def test_of_a_batch_the_first_wrong_sequence_has_its_tables() -> None:
    cube = np.zeros((4, 2, 2))
    seen = changed(changed(cube, (1, 0, 1), 9.0), (3, 1, 0), 8.0)
    assert text_of(cube, seen, axes=("sequences", "queries", "keys")) == (
        "Yours, sequence 2, shape (2, 2):\n"
        "    keys           1        2\n"
        "    query 1   0.0000 ! 9.0000\n"
        "    query 2   0.0000   0.0000\n"
        "\n"
        "Expected, sequence 2, shape (2, 2):\n"
        "    keys         1      2\n"
        "    query 1 0.0000 0.0000\n"
        "    query 2 0.0000 0.0000\n"
        "\n"
        "! marks what is not right."
    )


def test_a_matrix_has_the_names_of_its_axes_if_its_shape_is_right() -> None:
    seen = changed(SMALL, (1, 2), -5.0)
    axes = ("queries", "dimensions")
    text = text_of(SMALL, seen, axes=axes)
    assert "    dimensions         1         2         3\n    query 1  " in text
    assert "query" not in text_of(SMALL, SMALL.T, axes=axes)


def test_of_a_large_matrix_the_first_numbers_are_shown() -> None:
    shown = text_of(np.zeros((25, 31)), np.ones((25, 31)))
    assert "shape (25, 31), only the first 10 rows and 16 columns" in shown
    assert shown.count("! 1.0000") == 160


def test_other_shapes_stand_beside_each_other_unmarked() -> None:
    shown = text_of(SMALL, SMALL.T)
    assert "Yours, shape (3, 2)" in shown
    assert "Expected, shape (2, 3)" in shown
    assert "! " not in shown
    assert "The shapes differ" in shown


def test_any_two_shapes_can_be_shown() -> None:
    shapes: tuple[tuple[int, ...], ...] = ((), (4,), (2, 3), (2, 2, 2), (13, 1), (1, 13))
    for shape, other in itertools.product((*shapes, (3, 4, 12, 11)), shapes):
        found = difference(tensor(np.ones(shape)), tensor(np.zeros(other)))
        tables = number_tables(found)
        batch = max(len(shape), len(other)) > 2
        expected = 0 if batch and shape != other else 2
        assert len(tables) == expected, (shape, other)
        for shown in drawn(tables):
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
    assert number_tables(found) == []
    assert drawn(()) == []


def test_a_part_of_a_dict_is_named() -> None:
    right = DictValue((("sa_v1", tensor(SMALL)), ("sa_v2", tensor(SMALL))))
    seen = DictValue((("sa_v1", tensor(SMALL)), ("sa_v2", tensor(SMALL + 1))))
    found = difference(right, seen)
    shown = drawn_one(number_tables(found, of="sa_v2")).text
    assert "Yours, sa_v2, shape (2, 3)" in shown


def test_printed_numbers_keep_their_digits_and_gaps() -> None:
    right = printed([[0.1234, np.nan], [0.5, 1.0]])
    seen = tensor([[0.1234, 7.0], [0.5, 2.0]])
    shown = drawn_one(number_tables(difference(right, seen, 2), decimals=2)).text
    assert "[0]   0.1234   7.0000\n    [1]   0.5000 ! 2.0000" in shown
    assert "[0] 0.12     \n    [1] 0.50 1.00" in shown


def test_a_wrong_entry_has_a_mark_and_a_border_and_names_are_escaped() -> None:
    found = difference(tensor(SMALL), tensor(changed(SMALL, (1, 2), -5.0)))
    html = drawn_one(number_tables(found, of="<b>")).html
    [wrong] = re.findall(r"<td [^>]*>! [^<]*</td>", html)
    assert "2px solid" in wrong
    assert "! -5.0000" in wrong
    assert "<b>" not in html
    assert "Yours, &lt;b&gt;, shape (2, 3)" in html
