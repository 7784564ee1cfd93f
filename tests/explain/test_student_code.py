"""What is read of a submission's source, and that reading it is bounded."""

from __future__ import annotations

import ast
import time
from typing import TYPE_CHECKING

import pytest

from autograder.explain.student_code import MOST_CHARACTERS, MOST_DEFINITIONS, StudentCode
from autograder.explain.syntax import names_made, names_read, statement_at
from autograder.near_names import nearest
from autograder.results import Frame

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.unit

CODE = """\
import torch

inputs = torch.ones(6, 3)
a, b = 1, 2


@decorated
def project(
    x,
    W_query,
) -> tuple:
    rows = [row @ W_query for row in x]

    return torch.stack(
        rows
    )
# a comment at the margin

class Attention(nn.Module):
    def forward(self, x):
        return helper(x)


def helper(x):
    return other(x)
"""


def read(text: str) -> StudentCode:
    return StudentCode([("work.py", text)])


def test_a_definition_is_found_with_its_lines() -> None:
    found = read(CODE).definition("project")
    assert found is not None
    assert (found.line, found.label) == (8, "work.py")
    statement = statement_at(found.node, 15, 0)
    assert isinstance(statement, ast.Return)
    assert found.quote(statement) == "return torch.stack( rows )"
    assert names_made(found.node) == {"x", "W_query", "rows", "row"}
    assert set(names_read(found.node)) >= {"row", "W_query", "x", "torch", "rows"}


def test_of_several_statements_on_a_line_one_stands_around_a_column() -> None:
    tree = ast.parse("def f(x):\n    print(x); raise ValueError(x)\n")
    assert isinstance(statement_at(tree, 2, 4), ast.Expr)
    assert isinstance(statement_at(tree, 2, 14), ast.Raise)
    assert isinstance(statement_at(tree, 2, 0), ast.Expr)
    assert statement_at(tree, 3, 0) is None


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f():\n    return 1\n\ndef f():\n    return 2\n", 4),
        ("def g(:\n    return 1\n\ndef f():\n    return 2\n", 4),
        ('def f():\n    text = """\nat the margin\n"""\n    return text\n', 1),
        ("def f(:\n    return 1\n\ndef g():\n    return 2\n", 0),
    ],
)
def test_the_last_definition_that_parses_counts(source: str, line: int) -> None:
    found = read(source).definition("f")
    assert (found.line if found else 0) == line


# Texts that take long to read if any pattern is quadratic; each is longer with a larger number.
HOSTILE: dict[str, Callable[[int], str]] = {
    "deep brackets": lambda n: "def f():\n    return " + "(" * n,
    "deep signs": lambda n: "def f():\n    return " + "-" * n + "1",
    "deep attributes": lambda n: "def f():\n    return a" + ".b" * n,
    "many definitions": lambda n: "def f(): pass\n" * n,
    "many near names": lambda n: "\n".join(f"attentoin_weight{one}s = 1" for one in range(n)),
    "a line of spaces": lambda n: " " * (20 * n),
    "commas": lambda n: "a" + ", a" * n,
    "no end": lambda n: "def f():\n" + '    """\nx\n' * n,
}
ODD = {
    "deep brackets": "def f():\n    return " + "(" * 15_000,
    "deep signs": "def f():\n    return " + "-" * 15_000 + "1",
    "deep blocks": "def f():\n" + "".join(" " * n + "if 1:\n" for n in range(1, 150)),
    "many definitions": "def f(): pass\n" * 3 * MOST_DEFINITIONS,
    "null bytes": "def f():\n    return '\0'\n",
    "lone surrogates": "def f():\n    return '\ud800'\n",
}


def look_through(text: str) -> None:
    code = read(text)
    assert len(code.headers) <= MOST_DEFINITIONS
    code.definition("f")
    code.around(Frame("work.py", 40, "f", ""))
    nearest("attention_weights", code.variables)


def test_an_odd_text_is_read_and_pieces_beyond_the_limit_are_not() -> None:
    for text in ODD.values():
        look_through(text)
    code = StudentCode([("1", "x" * MOST_CHARACTERS), ("2", "def f(): pass")])
    assert code.definition("f") is None


@pytest.mark.large
def test_reading_takes_linear_time() -> None:
    """Four times the text takes four times as long; a quadratic pattern would take sixteen times as long."""

    def seconds(text: str) -> float:
        started = time.process_time()
        look_through(text)
        return time.process_time() - started

    slow = {}
    for name, made in HOSTILE.items():
        short, long = (min(seconds(made(n)) for _ in range(2)) for n in (1_000, 4_000))
        if long > 9 * short + 0.05:
            slow[name] = short, long
    assert slow == {}
