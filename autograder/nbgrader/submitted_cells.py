"""Convert a student's submission to cells of the released notebook: a notebook, a `.py` and files with answers.

Nothing is run or parsed: `find_steps` cuts any text in linear time.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbgrader.utils import is_grade, is_solution

from autograder.errors import Rejected
from autograder.python_source import CELL
from autograder.submission.notebook import NotebookCell
from autograder.submission.read import cells_of_file, read_text
from autograder.submission.step_source import find_steps
from autograder.text import one_line, without_invisible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from autograder.submission.read import Submission

_MAX_PARTS = 200


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
    """Return a cell for each step of a `.py` file, and between them the student's other code.

    What stands in the released file too is left out. The first line of every other cell says where
    it stands in the student's file.
    """
    text, steps, name = read_text(path), release.steps, one_line(path.name)
    released = find_steps((("", release.stub),), steps)
    known = {line.strip() for line in release.stub.split("\n")}
    lines = text.split("\n")
    cells: list[NotebookCell] = []
    done = 0
    found = find_steps(((name, text),), steps)
    for step, source in sorted(found.items(), key=lambda item: item[1].first):
        cells += _between(name, lines[: source.first - 1], done, known)
        unchanged = step in released and same_words(source.text, released[step].text)
        placed = _placed(name, source.first, source.text)
        cells.append(_cell(step, released[step].text if unchanged else placed))
        done = source.last
    cells += _between(name, lines, done, known)
    absent = [step for step in steps if step not in found]
    return cells + [
        _cell(step, f"# {name} does not define {step} at its left margin.") for step in absent
    ]


def _between(
    name: str, lines: Sequence[str], begin: int, known: set[str]
) -> Iterator[NotebookCell]:
    """Yield each part of the lines from `begin` in which a line is not released."""
    parts: list[list[int]] = [[]]
    for number in range(begin, len(lines)):
        if CELL.match(lines[number]) and len(parts) < _MAX_PARTS:
            parts.append([])
        parts[-1].append(number)
    for part in parts:
        written = [number for number in part if lines[number].strip()]
        if any(lines[number].strip() not in known for number in written):
            source = "\n".join(lines[written[0] : written[-1] + 1])
            yield _cell("", _placed(name, written[0] + 1, source))


def _placed(name: str, line: int, source: str) -> str:
    return f"# {name}, line {line}\n{source}"


def _cell(name: str, source: str, kind: str = "code") -> NotebookCell:
    return NotebookCell(0, kind, name, without_invisible(source), ())


def same_words(first: str, second: str) -> bool:
    """Return whether two texts differ in white space only."""
    return first.split() == second.split()
