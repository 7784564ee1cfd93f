"""Which of the cells that were run still count."""

from __future__ import annotations

from autograder.student.cell_history import CellHistory, CellRun, still_count


def numbers(*runs: tuple[str, str] | tuple[str, str, bool]) -> list[int]:
    """The numbers, from 1, of the (cell, text[, failed]) that still count."""
    made = [CellRun(number, *one) for number, one in enumerate(runs, start=1)]
    return [run.number for run in still_count(made)]


def test_cells_that_define_different_things_all_count() -> None:
    assert numbers(("a", "x = 1"), ("b", "def f(): return x")) == [1, 2]


def test_of_two_runs_of_a_definition_the_later_counts() -> None:
    assert numbers(("f", "def f(): return 1"), ("f", "def f(): return 2")) == [2]


def test_what_was_used_before_it_was_replaced_counts_too() -> None:
    runs = [("", "n = 1"), ("b", "table = [0] * n"), ("", "n = 2")]
    assert numbers(*runs) == [1, 2, 3]


def test_running_everything_twice_counts_once() -> None:
    everything = [("a", "import math"), ("b", "def f(): return math.pi"), ("c", "print(f())")]
    assert numbers(*everything, *everything) == [4, 5, 6]


def test_a_cell_counts_once_as_it_does_in_grading() -> None:
    assert numbers(("a", "n = 0"), ("b", "n += 1"), ("b", "n += 1")) == [1, 3]


def test_a_cell_counts_with_its_newest_text_where_others_need_it() -> None:
    runs = [("a", "n = 1"), ("b", "table = [0] * n"), ("a", "n = 2")]
    assert numbers(*runs) == [3, 2]


def test_a_name_that_the_newest_text_of_a_cell_lacks_is_gone() -> None:
    assert numbers(("a", "def f(): ...\ndef g(): ..."), ("a", "def f(): ...")) == [2]


def test_a_run_that_failed_replaces_nothing() -> None:
    first, failed = ("a", "def f(): return 1"), ("b", "1 / 0\ndef f(): return 2", True)
    assert numbers(first, failed) == [1, 2]


def test_a_failed_run_that_defines_nothing_is_forgotten() -> None:
    assert numbers(("a", "f(1)", True), ("b", "x = 1")) == [2]


def test_a_cell_that_is_no_python_counts_until_it_is_run_again() -> None:
    assert numbers(("a", "def f(:", True)) == [1]
    assert numbers(("a", "def f(:", True), ("a", "def f(): ...")) == [2]


def test_cells_without_ids_are_told_apart_by_their_text() -> None:
    assert numbers(("", "print(1)"), ("", "print(2)"), ("", "print(1)")) == [2, 3]


def test_magics_are_left_out() -> None:
    assert CellRun(1, "", "%matplotlib inline\n!ls\nx = 1").source == "\n\nx = 1"


def test_an_odd_escape_does_not_warn() -> None:
    assert CellRun(1, "", 'x = "\\d"').names == {"x"}


def test_null_bytes_and_endless_nesting_are_no_python() -> None:
    assert CellRun(1, "", "x = 1\0").trees == []
    assert CellRun(1, "", "(" * 10_000).trees == []


def test_what_python_can_read_in_a_broken_cell_counts() -> None:
    run = CellRun(1, "", "def f(): ...\nprint(\ndef g(:")
    assert run.names == {"f"}
    assert run.lost == {"g"}


def test_importing_everything_counts() -> None:
    assert numbers(("a", "from math import *"), ("b", "x = 1")) == [1, 2]


def test_cells_run_inside_of_cells_end_in_order() -> None:
    cells = CellHistory()
    cells.remember(1, "x = 1")
    cells.begin("a", "%%capture\ny = 2")
    cells.begin("", "y = 2")
    cells.end(3, failed=True)
    cells.end(2, failed=False)
    cells.end(failed=True)
    assert [run.failed for run in cells.runs] == [False, False, True]
    assert [run.number for run in cells.runs] == [1, 2, 2]
    cells.begin("b", "z = 3")
    cells.end(7, failed=False)
    assert cells.runs[-1].number == 7


def test_a_run_says_where_it_is() -> None:
    assert CellRun(7, "", "x = 1").place == "In [7]"
    assert CellRun(7, "given-1", "x = 1").place == "In [7], cell `given-1`"
    assert len(CellRun(7, "x" * 1000, "x = 1").place) < 60
