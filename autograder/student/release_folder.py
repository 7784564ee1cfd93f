"""The released folder, seen from the student's side: what is missing, its show cells, and what is left to do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.catalogue import EXPECTED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.submission.notebook import NotebookCell

_NO_ANSWER = ("", "YOUR ANSWER HERE")
_AFTER = "The points of the steps then come from the same checks on other numbers."
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def no_release(folder: Path) -> str:
    """Return what to do in a folder without the files that belong beside the notebook."""
    below = [
        path for pattern in ("*", "*/*") for path in sorted(folder.glob(f"{pattern}/{EXPECTED}"))
    ]
    if below:
        there = f"`%cd {below[0].parent.as_posix()}`"
        return f"The files of this notebook are in another folder: run {there} in a cell, then this cell again."
    return (
        f"There is no {EXPECTED} in {folder}. The notebook needs the files that came with it, in the zip file "
        "that you were given. On your computer: open the notebook in the folder of the unpacked zip file. "
        "In Colab: upload the zip file (the folder symbol on the left), run `!unzip -oq *.zip` in a cell, then "
        "this cell again."
    )


def show_cells(folder: Path) -> frozenset[str]:
    """Return the texts of the code cells that are not graded, of all notebooks in a folder."""
    from autograder.submission.read import cells_of_file  # noqa: PLC0415 - while the worker starts

    cells = (cell for path in folder.glob("*.ipynb") for cell in cells_of_file(path))
    return frozenset(
        cell.source.strip() for cell in cells if cell.kind == "code" and not cell.counts
    )


@dataclass(frozen=True)
class OpenQuestion:
    """A question that a person marks: its heading, its points, whether the notebook has an answer."""

    title: str
    points: float
    answered: bool


def left_to_do(submission: Path, notebook: Path) -> list[str]:
    """Return what is left to do when all steps are right, in sentences.

    Args:
        submission: the file that was checked, a `.py` or a notebook.
        notebook: the student's notebook, which has the open questions. It need not be there.
    """
    unanswered = [question for question in open_questions(notebook) if not question.answered]
    both = f" and {notebook.name}" if unanswered and notebook.name != submission.name else ""
    return [
        *(
            f'Answer the open question in {notebook.name}, "{question.title}". '
            f"A person marks it: {question.points:g} points."
            for question in unanswered
        ),
        f"Hand in {submission.name}{both}. {_AFTER}",
    ]


def open_questions(notebook: Path) -> tuple[OpenQuestion, ...]:
    """Return the questions of a notebook that a person marks; none if it cannot be read."""
    from autograder.submission.read import cells_of_file  # noqa: PLC0415 - as above

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
