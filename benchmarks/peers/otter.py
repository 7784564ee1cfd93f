"""Otter-Grader without containers: `otter run`, and its Python API for many answers in one process."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from benchmarks.peers.course_tests import IMPORTS
from benchmarks.peers.environment import call, environment
from benchmarks.peers.notebooks import code_cell, write_notebook

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.peers.answers import Answer
    from benchmarks.peers.course_tests import CourseTest

PACKAGE = "otter-grader==7.0.0"
# Otter imports some packages for its tests and its log only when they are needed.
_TEST_FILE = """\
OK_FORMAT = False

{imports}
from otter.test_files import test_case

name = "{step}"
points = {points}


@test_case(hidden=True)
{function}
"""
_ALL = """\
import sys
from otter.api import grade_submission

for path in sys.argv[2:]:
    grade_submission(path, sys.argv[1], quiet=True)
"""


class Otter:
    """`otter run` on one answer, or one process for all answers.

    Attributes:
        first: seconds that `otter generate` took, once.
    """

    name = "otter run, a command each"

    def __init__(self, folder: Path, answers: list[Answer], tests: list[CourseTest]) -> None:
        self._folder = folder
        self._answers = answers
        self._commands = environment("otter", PACKAGE, "ipykernel")
        for test in tests:
            path = folder / "tests" / f"{test.step}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_test_file(test))
        started = time.perf_counter()
        call([str(self._commands / "otter"), "generate"], folder)
        self.first = time.perf_counter() - started
        for answer in answers:
            cells = [
                code_cell(part.step or f"own-{number}", part.source)
                for number, part in enumerate(answer.parts)
            ]
            write_notebook(self._notebook(answer), cells)

    def _notebook(self, answer: Answer) -> Path:
        return self._folder / answer.name / "self_attention.ipynb"

    def command(self, answer: Answer) -> list[str]:
        """Return the command to grade one answer."""
        notebook = self._notebook(answer)
        options = ["--no-logo", "-a", "autograder.zip", "-o", str(notebook.parent)]
        return [str(self._commands / "otter"), "run", *options, str(notebook)]

    def grade(self, answer: Answer) -> float:
        """Grade an answer, and return the mark in the results file."""
        call(self.command(answer), self._folder)
        results = json.loads((self._notebook(answer).parent / "results.json").read_text())
        return float(sum(test.get("score", 0.0) for test in results["tests"]))

    def grade_all(self) -> None:
        """Grade every answer in one process."""
        paths = [str(self._notebook(answer)) for answer in self._answers]
        python = str(self._commands / "python")
        call([python, "-c", _ALL, str(self._folder / "autograder.zip"), *paths], self._folder)


def _test_file(test: CourseTest) -> str:
    return _TEST_FILE.format(
        imports=IMPORTS, step=test.step, points=test.points, function=test.function(test.step)
    )
