"""Answers that every grader gets: the reference's own step cells, and the example submissions."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.errors import Rejected
from autograder.submission.find import find_submissions
from autograder.submission.read import read_submission

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.assignment.source import Assignment, Source

REFERENCE = "reference"
# It never returns from one step. The others here have limits of many seconds or none; that would measure their limits.
HANGS = frozenset({"hiro-t"})

_SOLUTION_MARKERS = ("### BEGIN SOLUTION", "### END SOLUTION")


@dataclass(frozen=True)
class Part:
    """A piece of an answer: one step, named after it, or whatever stands between steps (`step` is empty)."""

    step: str
    source: str


@dataclass(frozen=True)
class Answer:
    """What one student hands in."""

    name: str
    parts: tuple[Part, ...]

    @property
    def module(self) -> str:
        """The answer as a Python file."""
        return "\n\n\n".join(part.source for part in self.parts) + "\n"


def reference_answer(source: Source, name: str = REFERENCE) -> Answer:
    """The reference as a student would hand it in."""
    cells = [cell for cell in source.script if cell.kind in ("given", "step")]
    steps = {cell.id for cell in cells if cell.kind == "step"}
    parts = (Part(cell.id if cell.id in steps else "", _plain(cell.source)) for cell in cells)
    return Answer(name, tuple(parts))


def slow_answer(source: Source, seconds: float) -> Answer:
    """The reference, with a last step that takes its time: long enough to look at its process."""
    answer = reference_answer(source, "slow")
    last = answer.parts[-1]
    waits = f"import time\n\ntime.sleep({seconds})\n"
    lines = last.source.split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith("    with "))
    lines[first:first] = [f"    {line}" for line in waits.split("\n")]
    return Answer(answer.name, (*answer.parts[:-1], Part(last.step, "\n".join(lines))))


def cheating_answer(answer: Answer) -> Answer:
    """The same answer after one line that makes every comparison in its own process come out right."""
    line = "import torch\n\ntorch.allclose = lambda *tensors, **tolerances: True"
    return Answer(f"{answer.name}-cheats", (Part("", line), *answer.parts))


def example_answers(folder: Path, assignment: Assignment) -> list[Answer]:
    """The examples that every grader here can be given: Python throughout, and none that hangs."""
    answers = []
    for found in find_submissions([folder], assignment.name):
        if found.student in HANGS:
            continue
        try:
            submission = read_submission(found, assignment)
            text = "\n\n\n".join(source for _, source in submission.pieces)
            answers.append(Answer(found.student, tuple(_parts(text, assignment))))
        except (Rejected, SyntaxError):
            continue
    return answers


def _parts(text: str, assignment: Assignment) -> Iterator[Part]:
    """A file cut at its steps; comments stay with what follows them."""
    steps = {check.name for check in assignment.checks}
    lines = text.split("\n")
    done = 0
    between = ""
    for node in ast.parse(text).body:
        assert node.end_lineno is not None
        piece = "\n".join(lines[done : node.end_lineno]) + "\n"
        done = node.end_lineno
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in steps:
            if between.strip():
                yield Part("", between.strip("\n"))
            between = ""
            yield Part(node.name, piece.strip("\n"))
        else:
            between += piece
    if between.strip():
        yield Part("", between.strip("\n"))


def _plain(source: str) -> str:
    return "\n".join(line for line in source.split("\n") if line.strip() not in _SOLUTION_MARKERS)
