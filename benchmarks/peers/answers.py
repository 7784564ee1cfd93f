"""The answers for all graders: the reference's step cells and the example submissions."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.errors import Rejected
from autograder.submission.find import find_hand_ins
from autograder.submission.read import read_submission

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.assignment.source import Assignment, Source

REFERENCE = "reference"
# One step never returns. Other graders have limits of many seconds or none, so the benchmark would
# measure those limits.
HANGS = frozenset({"hiro-t"})

_SOLUTION_MARKERS = ("### BEGIN SOLUTION", "### END SOLUTION")


@dataclass(frozen=True)
class Part:
    """A piece of an answer: one step, or the code between steps (`step` is empty)."""

    step: str
    source: str


@dataclass(frozen=True)
class Answer:
    """The submission of one student."""

    name: str
    parts: tuple[Part, ...]

    @property
    def module(self) -> str:
        """Return the answer as the text of a Python file."""
        return "\n\n\n".join(part.source for part in self.parts) + "\n"


def reference_answer(source: Source, name: str = REFERENCE) -> Answer:
    """Return the reference as a student's submission."""
    cells = [cell for cell in source.script if cell.kind in ("given", "step")]
    steps = {cell.id for cell in cells if cell.kind == "step"}
    parts = (Part(cell.id if cell.id in steps else "", _plain(cell.source)) for cell in cells)
    return Answer(name, tuple(parts))


def slow_answer(source: Source, seconds: float) -> Answer:
    """Return the reference with a pause of `seconds` in its last step, to measure its process."""
    answer = reference_answer(source, "slow")
    last = answer.parts[-1]
    waits = f"import time\n\ntime.sleep({seconds})\n"
    lines = last.source.split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith("    with "))
    lines[first:first] = [f"    {line}" for line in waits.split("\n")]
    return Answer(answer.name, (*answer.parts[:-1], Part(last.step, "\n".join(lines))))


def cheating_answer(answer: Answer) -> Answer:
    """Return the answer after one line that makes every comparison in its own process succeed."""
    line = "import torch\n\ntorch.allclose = lambda *tensors, **tolerances: True"
    return Answer(f"{answer.name}-cheats", (Part("", line), *answer.parts))


def example_answers(folder: Path, assignment: Assignment) -> list[Answer]:
    """Return the examples that all graders can grade: valid Python that does not hang."""
    answers = []
    for found in find_hand_ins([folder], assignment.name):
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
    """Split a file at its steps. Comments stay with the code after them."""
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
