"""Stock nbgrader: a course folder, hidden test cells, its gradebook and its kernels."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import nbformat

from benchmarks.peers.environment import call, environment
from benchmarks.peers.notebooks import code_cell, write_notebook

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.source import Source
    from benchmarks.peers.answers import Answer
    from benchmarks.peers.course_tests import CourseTest

PACKAGE = "nbgrader==0.9.6"
ASSIGNMENT = "self_attention"
_CONFIG = "c = get_config()\nc.CourseDirectory.course_id = 'benchmark'\n"
_HIDDEN = "### BEGIN HIDDEN TESTS\n{function}\n\n\ntest_{step}()\n### END HIDDEN TESTS"
_MARK = """\
SELECT TOTAL(CASE WHEN grade.manual_score IS NULL THEN grade.auto_score ELSE grade.manual_score END)
FROM grade
JOIN submitted_notebook ON grade.notebook_id = submitted_notebook.id
JOIN submitted_assignment ON submitted_notebook.assignment_id = submitted_assignment.id
WHERE submitted_assignment.student_id = ?
"""
_GIVEN = {"grade": False, "locked": True, "solution": False, "task": False}
_STEP = {"grade": False, "locked": False, "solution": True, "task": False}
_TEST = {"grade": True, "locked": True, "solution": False, "task": False}


class Nbgrader:
    """`nbgrader autograde`, one command for each answer or one for all.

    Attributes:
        first: seconds that `generate_assignment` took, once.
    """

    name = "nbgrader autograde, a command each"

    def __init__(
        self,
        folder: Path,
        answers: list[Answer],
        tests: list[CourseTest],
        source: Source,
        program: str = "",
    ) -> None:
        """Release the assignment and submit the answers.

        `program` is the nbgrader to use; if empty, nbgrader gets its own environment.
        """
        self._folder = folder
        self._nbgrader = program or str(environment("nbgrader", PACKAGE) / "nbgrader")
        folder.mkdir()
        (folder / "nbgrader_config.py").write_text(_CONFIG)
        notebook = f"{ASSIGNMENT}.ipynb"
        write_notebook(folder / "source" / ASSIGNMENT / notebook, _source_cells(source, tests))
        started = time.perf_counter()
        call([self._nbgrader, "generate_assignment", ASSIGNMENT], folder)
        self.first = time.perf_counter() - started
        for answer in answers:
            released = nbformat.read(folder / "release" / ASSIGNMENT / notebook, as_version=4)
            place = folder / "submitted" / answer.name / ASSIGNMENT
            write_notebook(place / notebook, filled(released.cells, answer))

    def command(self, answer: Answer | None = None) -> list[str]:
        """Return the command to grade one answer or all."""
        only = [f"--student={answer.name}"] if answer else []
        return [self._nbgrader, "autograde", ASSIGNMENT, "--force", *only]

    def grade(self, answer: Answer) -> float:
        """Grade an answer, and return its mark in the gradebook."""
        call(self.command(answer), self._folder)
        with closing(sqlite3.connect(self._folder / "gradebook.db")) as gradebook:
            return float(gradebook.execute(_MARK, (answer.name,)).fetchone()[0])

    def grade_all(self) -> None:
        """Grade every answer with one command."""
        call(self.command(), self._folder)


def _source_cells(source: Source, tests: list[CourseTest]) -> list[Any]:
    by_step = {test.step: test for test in tests}
    cells = []
    for cell in source.script:
        if cell.kind == "given":
            cells.append(code_cell(cell.id, cell.source, _GIVEN))
        elif cell.kind == "step":
            test = by_step[cell.id]
            hidden = _HIDDEN.format(function=test.function(), step=test.step)
            cells.append(code_cell(cell.id, cell.source, _STEP))
            metadata = {**_TEST, "points": test.points}
            cells.append(code_cell(f"check_{cell.id}", hidden, metadata))
    return cells


def filled(released: list[Any], answer: Answer) -> list[Any]:
    """Return the released cells with the answer's steps, each after the student's code before it."""
    steps: dict[str, tuple[list[str], str]] = {}
    between: list[str] = []
    for part in answer.parts:
        if part.step:
            steps[part.step] = (between, part.source)
            between = []
        else:
            between.append(part.source)
    cells = []
    for cell in released:
        before, cell.source = steps.get(cell.id, ([], cell.source))
        cells += [_own_cell(f"{cell.id}-{number}", text) for number, text in enumerate(before)]
        cells.append(cell)
    return cells + [_own_cell(f"last-{number}", text) for number, text in enumerate(between)]


def _own_cell(name: str, text: str) -> Any:
    return code_cell(f"own-{name}", text)
