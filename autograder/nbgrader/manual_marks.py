"""The points of open questions in nbgrader's gradebook, where a person has marked them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.exc import SQLAlchemyError

from autograder.errors import UsageError
from autograder.grading.overrides import late_anew, override_result
from autograder.nbgrader.gradebook import CHECK
from autograder.results import Override

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.reports.graded_class import GradedClass
    from autograder.results import Result

WHO = "nbgrader's gradebook"


@dataclass(frozen=True)
class ManualMarks:
    """The gradebook's marks for the questions of one assignment.

    Attributes:
        questions: the points of each question.
        given: by nbgrader's id of the student, the points of each question that is marked.
    """

    questions: Mapping[str, float]
    given: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def with_manual_marks(graded: GradedClass, url: str) -> tuple[GradedClass, tuple[str, ...]]:
    """Return the results with the questions' points from the gradebook, and notes on what is missing.

    Points in overrides.csv go before those of the gradebook. Raises UsageError if the gradebook cannot
    be read.
    """
    if not graded.results:
        return graded, ()
    marks = read_manual_marks(url, graded.results[0].assignment)
    marked = {name for given in marks.given.values() for name in given}
    questions = {name: points for name, points in marks.questions.items() if name in marked}
    results, waiting = [], []
    for entry in graded.entries:
        student = entry.result.student
        known = _id_in(marks, student, entry.person.ids)
        results.append(_marked(entry.result, marks.given.get(known, {}), questions))
        if known and len(marks.given[known]) < len(marks.questions):
            waiting.append(student)
    notes = (
        (f"With a question that nobody has marked yet: {', '.join(waiting)}.",) if waiting else ()
    )
    return replace(graded, results=tuple(results)), notes


def read_manual_marks(url: str, assignment: str) -> ManualMarks:
    """Read the questions' points of an assignment. Raises UsageError if the gradebook cannot be read."""
    try:
        with Gradebook(url) as book:
            return _read(book, assignment)
    except MissingEntry:
        raise UsageError(f"The gradebook {url} has no assignment {assignment!r}.") from None
    except SQLAlchemyError as error:
        words = str(error).partition("\n")[0]
        raise UsageError(f"The gradebook {url} cannot be read: {words}") from None


def _read(book: Any, assignment: str) -> ManualMarks:
    cells = book.find_notebook(assignment, assignment).grade_cells
    questions = {cell.name: cell.max_score for cell in cells if not cell.name.startswith(CHECK)}
    given: dict[str, dict[str, float]] = {}
    for submission in book.assignment_submissions(assignment):
        grades = [
            grade
            for notebook in submission.notebooks
            for grade in notebook.grades
            if grade.cell.name in questions
        ]
        marked = {grade.cell.name: grade.score for grade in grades if _is_marked(grade)}
        given[submission.student.id] = marked
    return ManualMarks(questions, given)


def _is_marked(grade: Any) -> bool:
    """Return whether a person marked an answer, or nbgrader did because there is none."""
    return grade.manual_score is not None or (
        grade.auto_score is not None and not grade.needs_manual_grade
    )


def _id_in(marks: ManualMarks, student: str, ids: Mapping[str, str]) -> str:
    """Return the student's id in the gradebook; empty if there is none."""
    for name in (ids.get("nbgrader"), student, ids.get("id")):
        if name and name in marks.given:
            return name
    return ""


def _marked(result: Result, given: Mapping[str, float], questions: Mapping[str, float]) -> Result:
    """Return the result with the points given for questions; those of overrides.csv go first."""
    there = {check.step for check in result.checks if not check.is_unmarked}
    kept = tuple(check for check in result.checks if not check.is_unmarked)
    unmarked = {check.step: check.max_score for check in result.checks if check.is_unmarked}
    open_ = {
        name: points for name, points in (unmarked | dict(questions)).items() if name not in there
    }
    overrides = [
        Override(result.student, name, points, "", WHO)
        for name, points in given.items()
        if name in open_
    ]
    changed = override_result(replace(result, checks=kept), overrides, open_, result.late)
    return late_anew(replace(changed, late=result.late))
