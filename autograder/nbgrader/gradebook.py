"""Write marks to nbgrader's gradebook.

Manual scores, extra credit and people's comments are never changed.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from nbformat import v4
from nbgrader import utils
from nbgrader.api import Comment, Course, Grade, Gradebook, MissingEntry
from nbgrader.converters import autograde
from nbgrader.preprocessors import SaveCells, latesubmissions
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import joinedload

from autograder.errors import GraderFault, UsageError
from autograder.nbgrader.config import find_our_programs
from autograder.no_warnings import quiet
from autograder.results import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from autograder.assignment.source import Assignment
    from autograder.results import Result
    from autograder.submission.hand_in import HandIn

CHECK = "check_"


def _student(hand_in: HandIn) -> tuple[str, dict[str, str]]:
    """Return a student's id in the gradebook, and the known fields: no other field is overwritten.

    In nbgrader's folders the id is the folder's name. In another platform's download, and of everybody whom it knows,
    it is the id of the roster, if there is one. Everywhere else it is the name in the results.
    """
    person = hand_in.person
    own = person.ids.get("nbgrader") or (
        person.ids.get("id") if hand_in.platform or hand_in.from_roster else ""
    )
    last = person.last or person.name.rpartition(" ")[2]
    fields = {
        "first_name": person.name.removesuffix(last).strip() if hand_in.from_roster else "",
        "last_name": last if hand_in.from_roster else "",
        "email": person.email,
        "lms_user_id": person.ids.get("canvas") or person.ids.get("moodle") or "",
    }
    return own or hand_in.student, {name: value for name, value in fields.items() if value}


class GradebookWriter:
    """Writer of one assignment's marks to a gradebook, for `autograder grade`."""

    def __init__(
        self, url: str, assignment: Assignment, release: Path, hand_ins: Mapping[str, HandIn]
    ) -> None:
        """Open or create the gradebook. `hand_ins` are those of the run, by their names in the results.

        Raises UsageError if the gradebook cannot be opened, or holds another version of the
        assignment.
        """
        self.blank: list[str] = []
        self._name = assignment.name
        self._url = url
        self._hand_ins = hand_ins
        find_our_programs()
        try:
            self._book = Gradebook(url, course_id="")
            self._book.course_id = _course(self._book)
        except (SQLAlchemyError, OSError) as error:
            raise UsageError(f"The gradebook {url} cannot be opened: {_line(error)}") from None
        try:
            enter_assignment(self._book, url, assignment, release)
        except BaseException:
            self._book.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._book.close()

    def write(self, result: Result) -> None:
        """Write one submission's marks, all of them or none. Ungraded marks stay blank.

        Raises GraderFault if the database fails; marks written before are complete.
        """
        student, known = _student(self._hand_ins[result.student])
        try:
            self._book.update_or_create_student(student, **known)
            with quiet():  # SQLAlchemy warns each time nbgrader adds a submission
                self._book.update_or_create_submission(self._name, student)
            write_marks(self._book, replace(result, student=student))
        except SQLAlchemyError as error:
            self._book.db.rollback()
            raise GraderFault(
                f"The gradebook {self._url} could not be written for {result.student}: {_line(error)}\n"
                "The same command goes on from here."
            ) from None
        if result.status is Status.UNGRADED:
            self.blank.append(result.student)


def _course(book: Any) -> str:
    """Return the gradebook's only course, or nbgrader's default if there are several or none."""
    courses = {course.id for course in book.db.query(Course)} - {"default_course"}
    return str(courses.pop()) if len(courses) == 1 else "default_course"


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def enter_assignment(book: Any, url: str, assignment: Assignment, release: Path) -> None:
    """Add the released notebook's cells to the gradebook, as `nbgrader generate_assignment` does.

    Raises UsageError if there is no release, if the release is of another version, or if the
    gradebook holds submissions of another version.
    """
    if _entered(book, assignment):
        return
    notebook = read_release(release)
    book.update_or_create_assignment(assignment.name)
    names = {"notebook": assignment.name, "assignment": assignment.name}
    try:
        SaveCells().preprocess(notebook, {"nbgrader": {**names, "db_url": url}})
    except RuntimeError:  # raised by nbgrader for submissions of other cells
        raise UsageError(
            f"The gradebook holds submissions of another version of {assignment.name!r}, with other cells. "
            "Grade them with the version that was released, or begin another gradebook."
        ) from None
    book.db.expire_all()
    if not _entered(book, assignment):
        raise UsageError(f"{release} is not of this version. Run `autograder build` first.")


def _entered(book: Any, assignment: Assignment) -> bool:
    """Return whether the gradebook has a cell with the right points for each check."""
    try:
        cells = book.find_notebook(assignment.name, assignment.name).grade_cells
    except MissingEntry:
        return False
    points = {cell.name: cell.max_score for cell in cells}
    return all(points.get(CHECK + check.name) == check.points for check in assignment.checks)


def read_release(path: Path) -> Any:
    """Load the released notebook. The build has validated it.

    Raises UsageError if the file is missing or is not a notebook.
    """
    try:
        return v4.reads(read_released(path))
    except (ValueError, TypeError, AttributeError):
        raise UsageError(f"{path} is no notebook any more. Run `autograder build` again.") from None


def read_released(path: Path) -> str:
    """Return the text of a released file. Raises UsageError if it is missing."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        raise UsageError(f"There is no {path}. Run `autograder build` first.") from None


def cells_to_show(book: Any, assignment: str, release: Path) -> tuple[list[Any], Any]:
    """Return the released notebook's cells and metadata, with the gradebook's checksums.

    Locked cells get the gradebook's source, which may show more to markers.
    The gradebook does not know a cell if the notebook was built again since. Such a cell is shown,
    but loses nbgrader's metadata.
    """
    known = {cell.name: cell for cell in book.find_notebook(assignment, assignment).source_cells}
    notebook = read_release(release)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in known:
            cell.metadata.nbgrader["checksum"] = known[name].checksum
            if utils.is_locked(cell):
                cell.source = known[name].source
        else:
            cell.metadata.pop("nbgrader", None)
    return list(notebook.cells), notebook.metadata


def write_marks(book: Any, result: Result, notebook: Any = None) -> None:
    """Write the scores of a submission's checks in one transaction.

    The submission must already be in the gradebook. With `notebook`, also write what nbgrader
    records for solution cells. A check with a manual score needs manual grading again if its
    automatic score changes.
    """
    name = result.assignment
    with _transaction(book):
        submitted = book.find_submission_notebook(name, name, result.student).id
        grades = _rows(book, Grade, submitted)
        for check in result.checks:
            if CHECK + check.step not in grades:  # a question, which a person marks
                continue
            score = None if check.is_ungraded else check.score
            grade = grades[CHECK + check.step]
            if grade.manual_score is None or grade.auto_score != score:
                grade.needs_manual_grade = score is None or grade.manual_score is not None
            grade.auto_score = score
        if notebook is not None:
            rejected = result.status is Status.REJECTED
            _write_answers(notebook, grades, _rows(book, Comment, submitted), silent=rejected)


def _rows(book: Any, table: Any, submitted: str) -> dict[str, Any]:
    """Return a submitted notebook's grades or comments by cell name."""
    query = book.db.query(table).options(joinedload(table.cell))
    return {row.cell.name: row for row in query.filter(table.notebook_id == submitted)}


def _write_answers(
    notebook: Any, grades: dict[str, Any], comments: dict[str, Any], *, silent: bool
) -> None:
    """Record which solution cells are unchanged and which need manual grading, as nbgrader does.

    With `silent`, unchanged cells get no comment: the submission could not be read.
    """
    for cell in filter(utils.is_solution, notebook.cells):
        name = cell.metadata.nbgrader["grade_id"]
        untouched = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)
        comments[name].auto_comment = "No response." if untouched and not silent else None
        if utils.is_grade(cell):
            grade = grades[name]
            grade.auto_score, _ = utils.determine_grade(cell)
            grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None


@contextmanager
def opened_once(book: Any) -> Iterator[None]:
    """Make nbgrader's own steps share this gradebook.

    Otherwise they open six gradebooks for a submission, which takes longer than grading.
    They also close the gradebook six times; the next query opens it again.
    """
    modules: tuple[Any, ...] = (autograde, latesubmissions)
    try:
        for module in modules:
            module.Gradebook = lambda *_: book
        yield
    finally:
        for module in modules:
            module.Gradebook = Gradebook


@contextmanager
def _transaction(book: Any) -> Iterator[None]:
    try:
        yield
        book.db.commit()
    except BaseException:
        book.db.rollback()
        raise
