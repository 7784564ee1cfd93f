"""Whether the value of an expression may reach what its function returns."""

from __future__ import annotations

import ast

import pytest

from autograder.explain.data_flow import is_used
from autograder.explain.syntax import matching

pytestmark = pytest.mark.unit


def used(body: str) -> bool:
    source = "def scale(scores, d_k):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    root = next(matching("_ ** 0.5", ast.walk(function)))
    assert isinstance(root, ast.expr)
    return is_used(root, function)


@pytest.mark.parametrize(
    "body",
    [
        "root = d_k ** 0.5\nreturn scores",
        "scores / d_k ** 0.5\nreturn scores",
        "root = d_k ** 0.5\nhalf = root / 2\nprint(half)\nreturn scores",
        "root = d_k ** 0.5\nroot = 1\nreturn scores / root",
    ],
)
def test_what_reaches_no_result_is_not_used(body: str) -> None:
    assert not used(body)


@pytest.mark.parametrize(
    "body",
    [
        "return scores / d_k ** 0.5",
        "root = d_k ** 0.5\nwhole = int(root)\nreturn scores / whole",
        "root, one = d_k ** 0.5, 1\nreturn scores / root",
        "scores /= d_k ** 0.5\nreturn scores",
        "root = d_k ** 0.5\nscores.div_(root)\nreturn scores",
        "for row in scores:\n    row /= d_k ** 0.5\nreturn scores",
        "self.root = d_k ** 0.5\nreturn scores",
    ],
)
def test_what_may_reach_the_result_is_used(body: str) -> None:
    assert used(body)
