"""Convert a student's submission to cells of the released notebook: a notebook, a `.py` and files with answers.

Nothing is run or parsed: `find_steps` cuts any text in linear time.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbgrader.utils import is_grade, is_solution

from autograder.errors import Rejected
from autograder.submission.notebook_work import NotebookCell
from autograder.submission.read import cells_of_file, read_text
from autograder.submission.step_source import find_steps
from autograder.text import one_line, without_invisible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from autograder.submission.read import Submission


@dataclass(frozen=True)
class Release:
    """A release: the notebook's cells and metadata, the text of the `.py`, the steps' names."""

    name: str
    cells: Sequence[Any]
    metadata: Any
    stub: str
    steps: Sequence[str]


def submitted_cells(
    folder: Path, submission: Submission | None, release: Release
) -> tuple[list[NotebookCell], list[str]]:
    """Return the cells of the graded file, with the student's answers to questions, and remarks.

    An answer is in the notebook, also beside a graded `.py`, else in a file such as `question-1.md`.

    Args:
        submission: the graded submission; None if it could not be read.
    """
    graded = submission.path if submission else None
    beside = folder / f"{release.name}.ipynb"
    cells = cells_of_file(graded if submission and submission.is_notebook and graded else beside)
    questions = [cell for cell in release.cells if is_solution(cell) and is_grade(cell)]
    if submission and graded and not submission.is_notebook:
        names = {cell.id for cell in questions}
        answered = [cell for cell in cells if cell.id in names]
        cells = [*cells_of_module(graded, release), *answered]
    remarks = []
    for question in questions:
        theirs = [cell for cell in cells if cell.id == question.id]
        if all(same_words(cell.source, question.source) for cell in theirs):
            found, problem = _answer(folder / f"{question.id}.md", question.id)
            cells = [cell for cell in cells if not found or cell not in theirs] + found
            remarks += problem
    return cells, remarks


def _answer(path: Path, question: str) -> tuple[list[NotebookCell], list[str]]:
    """Return the answer in a file, as a cell, and a remark if the file cannot be read."""
    if not os.path.lexists(path):
        return [], []
    try:
        return [_cell(question, read_text(path).strip("\n"), "markdown")], []
    except Rejected as problem:
        return [], [f"Your answer was not read. {problem}"]


def cells_of_module(path: Path, release: Release) -> list[NotebookCell]:
    """Return a cell for each step of a `.py` file, and one with the whole file if it holds more.

    The first line of a cell says where it stands in the student's file.
    """
    text, name = read_text(path), one_line(path.name)
    released = find_steps((("", release.stub),), release.steps)
    found = find_steps(((name, text),), release.steps)
    cells = []
    for step in release.steps:
        source = f"# {name} does not define {step} at its left margin."
        if step in found:
            source = _placed(name, found[step].first, found[step].text)
            if step in released and same_words(found[step].text, released[step].text):
                source = released[step].text
        cells.append(_cell(step, source))
    known = "\n".join([release.stub, *(one.text for one in found.values())])
    if not _lines(text) <= _lines(known):
        cells.append(_cell("", _placed(name, 1, text)))
    return cells


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.split("\n")}


def _placed(name: str, line: int, source: str) -> str:
    return f"# {name}, line {line}\n{source}"


def _cell(name: str, source: str, kind: str = "code") -> NotebookCell:
    return NotebookCell(0, kind, name, without_invisible(source), ())


def same_words(first: str, second: str) -> bool:
    """Return whether two texts differ in white space only."""
    return first.split() == second.split()
