"""The folder that a student works in: where the release is, what it asks, which file is theirs, what is left to do."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.assignment.assignment import EXPECTED, is_release
from autograder.errors import Rejected, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.assignment.source import Assignment
    from autograder.exam.questions import Exam
    from autograder.submission.notebook_work import NotebookCell

_NO_ANSWER = ("", "YOUR ANSWER HERE")
_AFTER = "The points of the steps then come from the same checks on other numbers."
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def find_release(*folders: Path) -> Path | None:
    """Return the first of the folders that is a release; None if none is."""
    return next(filter(is_release, folders), None)


def the_release(folder: Path) -> Path:
    """Return the folder if it is a release, or the only release below it. Raises UsageError if there is not one."""
    found = [folder] if is_release(folder) else releases_below(folder)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(str(one) for one in found)
        raise UsageError(f"There are several assignments here: {names}. Give the folder of one.")
    raise UsageError(
        f"{folder.resolve()} has no {EXPECTED}. Run this in the folder of an assignment."
    )


def holds_release(argument: str) -> bool:
    """Return whether an argument of pytest is in a release, or is a folder that has one below it."""
    path = Path(argument.partition("::")[0])
    return any(map(is_release, (path, path.parent))) or bool(releases_below(path))


def releases_below(folder: Path) -> list[Path]:
    """Return the releases in the folders of a folder, and in theirs."""
    records = (sorted(folder.glob(f"{between}/{EXPECTED}")) for between in ("*", "*/*"))
    return [record.parent for record in chain(*records)]


def load_exam(folder: Path) -> Exam:
    """Return the released questions of a folder, or newly drawn ones if it has the solution."""
    from autograder.exam.expected_json import load_release  # noqa: PLC0415 - while the worker starts

    if is_release(folder):
        return load_release(folder)
    from autograder.assignment.source import load_source  # noqa: PLC0415 - the instructor's side
    from autograder.exam.draw import draw_exam  # noqa: PLC0415
    from autograder.grading.run_seed import SEED_BITS  # noqa: PLC0415

    return draw_exam(load_source(folder), secrets.randbits(SEED_BITS))


# The student's file.


def file_to_check(folder: Path, assignment: Assignment) -> tuple[Path, str]:
    """Return the student's file, and a note for the student about the choice; empty if there is none.

    That is `<assignment>.py`. If it is missing or as it was released, it is the first that the student
    worked in of the files that would be graded. Raises UsageError if there is none.
    """
    from autograder.submission.archive import Place  # noqa: PLC0415 - while the worker starts
    from autograder.submission.which_file import exact_names, ranked, right_name, shown  # noqa: PLC0415

    exact = exact_names(assignment.name)
    path = folder / exact[0]
    if not is_release(folder):
        return path, ""
    names = [place.name for place in Place(folder).visible() if not place.is_folder]
    worked = [
        folder / name
        for name in ranked(names, assignment.name)
        if _worked_in(folder / name, assignment, unreadable=name == path.name)
    ]
    if not worked and path.name not in names:
        raise UsageError(
            f"There is no `{path.name}` in this folder: it was deleted, moved or renamed. "
            "If your editor still has it, save it again."
        )
    if path in worked or not worked:
        also = [f"`{shown(file)}`" for file in worked if file.name not in exact]
        note = f"You worked in {', '.join(also)} too, which was not checked."
        return path, f"Checked: `{path.name}`. {note}" if also else ""
    there = path.name in names
    why = f"`{path.name}` is as it was released" if there else f"There is no `{path.name}` here"
    note = f"{why}. You worked in `{shown(worked[0])}`, so that file was checked."
    right = right_name(worked[0].name, assignment.name)
    if worked[0].name != right:
        note += f" Name it `{right}` before you hand it in."
    return worked[0], note


def _worked_in(path: Path, assignment: Assignment, *, unreadable: bool) -> bool:
    """Return whether a student edited a file; return `unreadable` if it cannot be read."""
    from autograder.submission.read import is_edited  # noqa: PLC0415 - while the worker starts

    try:
        return is_edited(path, assignment)
    except Rejected:
        return unreadable


# The student's notebook.


@cache
def cells_aside(folder: Path) -> dict[str, str]:
    """Return the code cells that are not graded, of all notebooks in a folder: their texts by their ids."""
    from autograder.submission.read import cells_of_file  # noqa: PLC0415 - while the worker starts

    cells = (cell for path in folder.glob("*.ipynb") for cell in cells_of_file(path))
    return {cell.id: cell.source for cell in cells if cell.kind == "code" and not cell.counts}


@dataclass(frozen=True)
class OpenQuestion:
    """A question that a person marks: its heading, its points, whether the notebook has an answer."""

    title: str
    points: float
    answered: bool


def left_to_do(file: Path, notebook: Path, *, is_saved: bool = True) -> list[str]:
    """Return what is left to do when all steps are right, in sentences.

    Args:
        file: the file that was checked, a `.py` or a notebook.
        notebook: the notebook with the open questions, if `file` is none. It need not be there.
        is_saved: the notebook has the student's answers; else nobody knows them.
    """
    notebook = file if file.suffix == ".ipynb" else notebook
    questions = open_questions(notebook)
    unanswered = [question for question in questions if not (is_saved and question.answered)]
    both = f" and {notebook.name}" if unanswered and notebook.name != file.name else ""
    unknown = "" if is_saved else ", if you have not yet"
    return [
        *(
            f'Answer the open question in {notebook.name}, "{question.title}"{unknown}. '
            f"A person marks it: {question.points:g} points."
            for question in unanswered
        ),
        f"Hand in {file.name}{both}. {_AFTER}",
    ]


def open_questions(notebook: Path) -> tuple[OpenQuestion, ...]:
    """Return the questions of a notebook that a person marks; none if it cannot be read."""
    from autograder.submission.read import cells_of_file  # noqa: PLC0415 - while the worker starts

    try:
        return tuple(_questions(cells_of_file(notebook)))
    except (ValueError, LookupError, TypeError, AttributeError):
        return ()  # a student may have damaged it; the steps are right all the same


def _questions(cells: list[NotebookCell]) -> Iterator[OpenQuestion]:
    text = ""
    for cell in cells:
        by_hand = cell.nbgrader.get("grade") and cell.nbgrader.get("solution")
        if cell.kind == "markdown" and by_hand:
            heading = _HEADING.search(text)
            title = heading[1] if heading else cell.id
            points = float(cell.nbgrader["points"])
            yield OpenQuestion(title, points, cell.source.strip() not in _NO_ANSWER)
        text = cell.source
