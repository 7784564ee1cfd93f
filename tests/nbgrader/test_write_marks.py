"""Which marks wait for a person, in a gradebook of one cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from nbgrader.api import Gradebook

from autograder.nbgrader.gradebook import CHECK, write_marks
from autograder.no_warnings import quiet
from autograder.results import CheckResult, Outcome, Result, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The toy's gradebook, in which alice has handed in a step of one point."""
    monkeypatch.setattr("nbgrader.api.get_alembic_version", lambda: "")  # asks another process
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as book:
        book.add_assignment("toy")
        book.add_notebook("toy", "toy")
        book.add_grade_cell(f"{CHECK}double", "toy", "toy", max_score=1, cell_type="code")
        book.add_student("alice")
        with quiet():  # as in `GradebookWriter`
            book.add_submission("toy", "alice")
        yield book


def grade(book: Any) -> Any:
    return book.find_grade(f"{CHECK}double", "toy", "toy", "alice")


def mark(book: Any, score: float) -> None:
    checks = (CheckResult("double", score, 1, Outcome.PASSED if score else Outcome.WRONG),)
    write_marks(book, Result("toy", "alice", Status.GRADED, checks, (), False, "", "", ""))


def mark_by_hand(book: Any, score: float) -> None:
    marked = grade(book)
    marked.manual_score, marked.needs_manual_grade = score, False
    book.db.commit()


def test_a_mark_by_hand_waits_for_a_person_once_the_answer_is_another(book: Any) -> None:
    mark(book, 1)
    assert not grade(book).needs_manual_grade
    mark_by_hand(book, 0.5)
    mark(book, 1)
    assert not grade(book).needs_manual_grade

    mark(book, 0)

    marked = grade(book)
    assert (marked.auto_score, marked.manual_score, marked.needs_manual_grade) == (0, 0.5, True)
