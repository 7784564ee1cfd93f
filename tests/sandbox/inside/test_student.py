"""A student's source as a module: what it defines, what goes wrong, and whose lines are shown."""

from __future__ import annotations

import linecache
import random
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

from autograder.sandbox.inside.student import MAX_FRAMES, MAX_MESSAGE, StudentModule, describe, load

NAME = "work_of_a_student"


Load = Callable[..., StudentModule]


@pytest.fixture
def load_pieces() -> Iterator[Load]:
    """Load sources as pieces `one`, `two`, ...; nothing of it stays in the interpreter."""
    labels = ("one", "two", "three")

    def load_them(*sources: str) -> StudentModule:
        return load(NAME, list(zip(labels, sources, strict=False)))

    yield load_them
    sys.modules.pop(NAME, None)
    for label in labels:
        linecache.cache.pop(label, None)


def raised_by(student: StudentModule, step: str, *arguments: object) -> dict[str, Any]:
    try:
        getattr(student.module, step)(*arguments)
    except BaseException as error:  # noqa: BLE001 - as the worker does
        return describe(error, student.labels)
    raise AssertionError("nothing was raised")


def lines_of(error: dict[str, Any]) -> list[tuple[str, int, str]]:
    return [(frame["file"], frame["line"], frame["function"]) for frame in error["frames"]]


def test_pieces_share_one_module(load_pieces: Load) -> None:
    student = load_pieces("a = 1", "def step():\n    return a + b", "b = 2")

    assert student.module.step() == 3
    assert not student.failures


WHOLE = "\n    a = 1\n\n    def step():\n        return a\n"  # indented as a whole


@pytest.mark.parametrize(
    "source", ["  y = 1", "  y = 1\n(", "\t@\n  x", "  y = 1\n# c\n  if y:\n", WHOLE]
)
def test_lines_that_begin_indented_cost_only_themselves(load_pieces: Load, source: str) -> None:
    student = load_pieces(source, *["def step():\n    return 1"] * (source != WHOLE))

    assert student.module.step() == 1
    assert student.failures[0]["type"] in ("IndentationError", "TabError")


def test_the_kits_future_imports_do_not_reach_a_student(load_pieces: Load) -> None:
    student = load_pieces("def step(x: 1 + 1): ...")

    assert student.module.step.__annotations__ == {"x": 2}


@pytest.mark.parametrize(
    ("failing", "kind", "message"),
    [
        ("1 / 0", "ZeroDivisionError", "division by zero"),
        ("raise SystemExit(3)", "SystemExit", "3"),
        ("def step(:", "SyntaxError", None),
        ("x = " + "(" * 300 + ")" * 300, "SyntaxError", None),
        ("x = " + "-" * 10_000 + "1", None, None),
    ],
    ids=lambda text: str(text)[:20],
)
def test_a_piece_that_fails_costs_only_what_it_defines(
    load_pieces: Load, failing: str, kind: str | None, message: str | None
) -> None:
    student = load_pieces("a = 1", f"b = 2\n{failing}\nb = 3", "c = 4")

    assert (student.module.a, student.module.b, student.module.c) == (1, 3, 4)
    [failure] = student.failures
    assert kind is None or failure["type"] == kind
    assert message is None or failure["message"] == message


def test_a_syntax_error_shows_its_line(load_pieces: Load) -> None:
    [failure] = load_pieces("a = 1\n\ndef step(x)\n    return x").failures
    assert failure["message"] == "expected ':'"
    assert lines_of(failure) == [("one", 3, "<module>")]


def test_an_exception_shows_the_students_lines_only(load_pieces: Load) -> None:
    student = load_pieces(
        "def inner(x):\n    return x.matmul(x, x)",
        "import torch\ndef step(x):\n    return list(map(inner, [x]))",
    )
    error = raised_by(student, "step", torch.ones(2))

    assert error["type"] == "TypeError"
    assert lines_of(error) == [
        ("two", 3, "step"),
        ("one", 2, "inner"),
    ]


def test_of_recursion_the_innermost_lines_are_kept(load_pieces: Load) -> None:
    student = load_pieces("def outer():\n    return step()\ndef step():\n    return step()")
    error = raised_by(student, "outer")

    assert error["type"] == "RecursionError"
    assert lines_of(error) == [("one", 4, "step")] * MAX_FRAMES


def test_a_traceback_shows_lines_that_are_on_no_disk(load_pieces: Load) -> None:
    student = load_pieces("def step():\n    return 1 / 0  # here")

    with pytest.raises(ZeroDivisionError) as caught:
        student.module.step()
    linecache.checkcache()
    assert "return 1 / 0  # here" in "".join(traceback.format_exception(caught.value))


NASTY = """
class NoText(Exception):
    def __str__(self):
        raise SystemExit
class NotText(Exception):
    def __str__(self):
        return 1
class Text(str):
    def __str__(self):
        raise ValueError
    def __getitem__(self, key):
        raise ValueError
class LooksLikeText(Exception):
    def __str__(self):
        return Text("fine")
class Long(Exception):
    def __str__(self):
        return "x" * 10_000
def step(kind):
    raise globals()[kind]
"""


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("NoText", "(its text could not be made: SystemExit)"),
        ("NotText", "(its text could not be made: TypeError)"),
        ("LooksLikeText", "fine"),
        ("Long", "x" * MAX_MESSAGE),
    ],
)
def test_an_exception_without_a_decent_text_is_described_all_the_same(
    load_pieces: Load, kind: str, message: str
) -> None:
    error = raised_by(load_pieces(NASTY), "step", kind)
    assert (error["type"], error["message"]) == (kind, message)
    assert type(error["message"]) is str


DRAWING = """
import random, torch
import numpy as np
drawn = (random.random(), np.random.rand(), torch.rand(1).item())
"""


def test_numbers_drawn_while_loading_are_the_same_each_time(load_pieces: Load) -> None:
    first = load_pieces(DRAWING).module.drawn
    random.random(), np.random.rand(), torch.rand(1)

    assert load_pieces(DRAWING).module.drawn == first
