"""Notebooks that were damaged or changed: each graded as far as possible, and the feedback says what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.nbgrader.course import NAME
from tests.nbgrader.hand_ins import FULL, TAMPERED, UNREADABLE

if TYPE_CHECKING:
    from tests.nbgrader.course import Course

pytestmark = pytest.mark.slow


def everything_said(course: Course, student: str) -> str:
    cells = [cell for cell in course.autograded(student)["cells"] if cell.get("outputs")]
    return "\n".join(course.said(student, cell["id"]) for cell in cells)


def test_a_changed_notebook_is_graded_as_far_as_possible(graded: Course) -> None:
    grades = {student: graded.total(student) for student in TAMPERED}
    assert grades == {student: points for student, (_, points, _) in TAMPERED.items()}
    said = {student: everything_said(graded, student) for student in TAMPERED}
    unsaid = {
        student: words for student, (_, _, words) in TAMPERED.items() if words not in said[student]
    }
    assert unsaid == {}, [said[student] for student in unsaid]


def test_markers_see_every_released_cell_once(graded: Course) -> None:
    release = graded.release()
    released = [cell["id"] for cell in release["cells"]]
    for student in TAMPERED:
        notebook = graded.autograded(student)
        shown = [cell["id"] for cell in notebook["cells"]]
        assert [name for name in shown if name in released] == released, student
        assert len(set(shown)) == len(shown), student
        assert notebook["metadata"]["kernelspec"] == release["metadata"]["kernelspec"], student


def test_a_line_that_does_not_end_and_one_that_ends_the_process_cost_nothing(
    graded: Course,
) -> None:
    assert "did not end within 2 seconds" in graded.said("loop", "check_dot_product_variance")
    assert graded.total("module-never-ends") == FULL
    assert "did not end within 0.4 seconds" in graded.said("module-never-ends")
    assert "ended the Python process." in graded.said("never-ends")


def test_what_is_no_notebook_earns_nothing_and_says_why(graded: Course) -> None:
    """What a link leads to is not copied for the feedback."""
    for student, (_, words) in (UNREADABLE | {"link": ("", "is a link")}).items():
        assert graded.total(student) == 0, student
        assert words in graded.said(student), student
    folder = graded.root / "course" / "autograded" / "link" / NAME
    assert (folder / "real.txt").read_text() == "mine"
    assert not (folder / "notes.txt").exists()


def test_cells_that_students_added_are_shown_where_they_stood(graded: Course) -> None:
    shown = graded.autograded("cell-added")["cells"]
    [added] = [number for number, cell in enumerate(shown) if "HELP = 1" in "".join(cell["source"])]
    assert shown[added + 1]["id"] == "project"
