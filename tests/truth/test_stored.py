"""What is stored for each row is what the row says of itself. Nothing is graded here."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.exams import ASSIGNMENTS
from tests.truth.slips.slip import FILE, FORMS, POINTS, Slip, all_slips
from tests.truth.stored import Row, every_row, rows_in, short, stored, stored_of

pytestmark = pytest.mark.unit


def lost(row: Row) -> dict[str, float]:
    """Return the points that each step of a row loses, by what is stored."""
    return {step: told["lost"] for step, told in stored_of(row).items() if "lost" in told}


def wrong_about(row: Row) -> str:
    """Return what is stored of a row that the row does not say of itself; empty if it says the same."""
    told = {step: short(one) for step, one in stored_of(row).items()}
    about = f"{row.of.place}: {row.name}: {told}"
    if isinstance(row.of, Slip):
        fits = sum(lost(row).values()) == pytest.approx(row.of.lost)
    elif row.kind == "wrong":
        fits = list(lost(row)) == [row.step] and row.of.loses in (None, lost(row)[row.step])
    else:
        named = [step for step, one in stored_of(row).items() if "mistakes" in one]
        fits = not lost(row) and not named
    return "" if fits else about


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_files_have_a_line_for_each_row_in_order(assignment: str) -> None:
    assert list(stored(assignment)) == [row.name for row in rows_in(assignment)]


@pytest.mark.parametrize("kind", ["wrong", "accepted", "slip"])
def test_a_row_loses_what_it_says(kind: str) -> None:
    """A wrong row loses points in its own step only; a right one none, and has no mistake."""
    rows = [row for row in every_row() if row.kind == kind]
    assert rows
    assert [wrong for row in rows if (wrong := wrong_about(row))] == []


def test_names_are_unique() -> None:
    counted = Counter((row.assignment, row.of.name) for row in every_row())
    assert [name for name, count in counted.items() if count > 1] == []


def test_slips_name_steps_and_forms() -> None:
    assert {form for slip in all_slips() for form in slip.forms} == {*FORMS}
    assert {slip.assignment for slip in all_slips()} == {*ASSIGNMENTS} == POINTS.keys()
    assert FILE in {slip.where for slip in all_slips()}
