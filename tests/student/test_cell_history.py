"""Which of the cells that were run still count."""

from __future__ import annotations

import pytest

from autograder.student.cell_history import CellHistory, CellRun, still_count, without_lost

EVERYTHING = [("a", "import math"), ("b", "def f(): return math.pi"), ("c", "print(f())")]

# The (cell, text[, failed]) of runs, and the numbers, from 1, of those that still count.
RUNS: dict[str, tuple[list[tuple[str, str] | tuple[str, str, bool]], list[int]]] = {
    "different definitions": ([("a", "x = 1"), ("b", "def f(): return x")], [1, 2]),
    "the later of a definition": ([("f", "def f(): return 1"), ("f", "def f(): return 2")], [2]),
    "used before it was replaced": ([("", "n = 1"), ("b", "table = [0] * n"), ("", "n = 2")],
        [1, 2, 3]),
    "everything twice": ([*EVERYTHING, *EVERYTHING], [4, 5, 6]),
    "a cell once, as in grading": ([("a", "n = 0"), ("b", "n += 1"), ("b", "n += 1")], [1, 3]),
    "the newest text where others need it": (
        [("a", "n = 1"), ("b", "table = [0] * n"), ("a", "n = 2")], [3, 2]),
    "a name that the newest text lacks": (
        [("a", "def f(): ...\ndef g(): ..."), ("a", "def f(): ...")], [2]),
    "a run that failed": ([("a", "def f(): return 1"), ("b", "1 / 0\ndef f(): return 2", True)],
        [1, 2]),
    "a failed run that defines nothing": ([("a", "f(1)", True), ("b", "x = 1")], [2]),
    "no Python": ([("a", "def f(:", True)], [1]),
    "no Python, run again": ([("a", "def f(:", True), ("a", "def f(): ...")], [2]),
    "cells without ids": ([("", "print(1)"), ("", "print(2)"), ("", "print(1)")], [2, 3]),
    "everything is imported": ([("a", "from math import *"), ("b", "x = 1")], [1, 2]),
}  # fmt: skip


@pytest.mark.parametrize("kind", RUNS)
def test_these_runs_still_count(kind: str) -> None:
    runs, numbers = RUNS[kind]
    made = [CellRun(number, *one) for number, one in enumerate(runs, start=1)]
    assert [run.number for run in still_count(made)] == numbers


def test_a_function_that_a_newer_run_cannot_define_is_gone() -> None:
    """Without ids the newer run is probably of the same cell; its other functions stay."""
    before = CellRun(1, "", "def g(): ...\n\n@cache\ndef f(): ...")
    broken = CellRun(2, "", "def f(:", failed=True)
    assert [sorted(run.names) for run in without_lost([before, broken])] == [["g"], []]
    assert broken.lost == {"f"}
    assert without_lost([CellRun(1, "a", "def f(): ..."), broken])[0].names == {"f"}
    assert without_lost([broken, before])[1].names == before.names
    again = CellRun(3, "", "def f(): ...")
    assert [sorted(run.names) for run in without_lost([before, broken, again])][-1] == ["f"]


def test_what_python_can_read_in_a_broken_cell_counts() -> None:
    run = CellRun(1, "", "%matplotlib inline\ndef f(): ...\nprint(\ndef g(:")
    assert run.names == {"f"}
    assert run.lost == {"g"}
    assert CellRun(1, "", 'x = "\\d"').names == {"x"}  # without a warning
    for text in ("x = 1\0", "(" * 10_000):
        assert CellRun(1, "", text).trees == []


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
