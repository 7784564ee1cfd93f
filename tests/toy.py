"""A small assignment of two steps, for tests that are not about attention."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from autograder.edits.places import Edit, normalised

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = '''\
# %% [markdown]
# # A toy
#
# Two steps.

# %%
import numpy as np

START = 0.5

# %%
def double(x):
    """Return twice x."""
    ### BEGIN SOLUTION
    return np.multiply(x, 2.0)
    ### END SOLUTION


# %% tags=["show"]
print(double(np.ones(2)))


# %%
def shift(x):
    """Return x, moved by START."""
    ### BEGIN SOLUTION
    moved = np.add(x, START)
    return moved  # as it is
    ### END SOLUTION
'''

CHECKS = '''\
from autograder import check


@check(points=1)
def test_double(student, case):
    """Twice the input.

    Multiply by two.
    """
    return student.double(case.x)


@check(points=2, documented=0.5)
def test_shift(student, case):
    """The input, moved.

    Look at START.
    """
    return student.shift(case.x)
'''

CASES = """\
import numpy as np

from autograder import Right, documented, drawn, printed
from autograder.assignment.cases import DocumentedCase


@drawn("double")
def numbers(draw):
    return {"x": draw.normal(draw.tokens, draw.d_k)}


@drawn("shift")
def other_numbers(draw):
    return {"x": draw.normal(draw.d_in)}


@documented("shift")
def one_and_two(reference, numbers):
    yield DocumentedCase({"x": np.array([1.0, 2.0])}, right=(Right(printed([1.5, 2.5]), decimals=1),))
"""

MISTAKES = """\
from autograder import mistake


@mistake("double", says="That is the input itself.", look="Is it multiplied?")
def unchanged(x):
    return x
"""

HINTS = """\
[double]
nudge = "How often is it there?"
where = "Which numbers change?"
example = "3 becomes 6."
why = "Twice is once more."
further = "And three times?"

[shift]
nudge = "By how much?"
where = "Look at START."
example = "With a START of 2, 3 becomes 5."
why = "All numbers move alike."
further = "And back?"
"""

DOUBLE = "def double(x):\n    return x + x\n"
SHIFT = "def shift(x):\n    return START + x\n"
# A right submission with an unusual spelling.
RIGHT = f"import numpy as np\n\nSTART = 0.5\n\n\n{DOUBLE}\n\n{SHIFT}"

# What `mistakes.py` calls `unchanged`.
UNCHANGED = f"START = 0.5\n\n\ndef double(x):\n    return x\n\n\n{SHIFT}"

# The steps of the reference, as edits change them.
MULTIPLY = "def double(x):\n    return np.multiply(x, 2.0)\n"
ADD = "def shift(x):\n    moved = np.add(x, START)\n    return moved\n"


def edit(code: str, source: str, old: str, new: str) -> Edit:
    """Return the edit of a definition that writes `new` in the place of the last `old`."""
    first = normalised(source).rindex(old)
    return Edit(code, ((first, first + len(old), new),))


def write_toy(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write `solutions/toy` below `folder`, some of its text replaced; return the path of `solutions`."""
    solutions = folder / "solutions"
    (solutions / "toy").mkdir(parents=True)
    texts = {
        "toy.py": SCRIPT,
        "test_toy.py": CHECKS,
        "cases.py": CASES,
        "mistakes.py": MISTAKES,
        "hints.toml": HINTS,
    }
    for old, new in changes:
        assert any(old in text for text in texts.values()), old
        texts = {name: text.replace(old, new) for name, text in texts.items()}
    for name, text in texts.items():
        (solutions / "toy" / name).write_bytes(text.encode())
    return solutions


def code(name: str, source: str, **metadata: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "id": name,
        "metadata": metadata,
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def notebook(*cells: dict[str, Any], minor: int = 5) -> str:
    """The text of a notebook; formats before 4.5 know no cell ids."""
    if minor < 5:
        cells = tuple({key: cell[key] for key in cell if key != "id"} for cell in cells)
    content = {"nbformat": 4, "nbformat_minor": minor, "metadata": {}, "cells": list(cells)}
    return json.dumps(content)
