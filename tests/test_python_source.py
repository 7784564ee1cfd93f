"""One reader of source: what Python parses and what is only cut agree."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograder.python_source import (
    Lines,
    NamedLine,
    margin_parts,
    named_lines,
    names_bound,
    names_in,
    open_brackets,
    statements,
)

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
SOURCES = sorted([*ROOT.glob("solutions/*/*.py"), *ROOT.glob("autograder/s*/*.py")])


@pytest.mark.large
def test_cutting_finds_the_statements_that_parsing_finds() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in SOURCES}
    assert len(sources) > 50
    assert [path for path, source in sources.items() if not cut_as_parsed(source)] == []


def cut_as_parsed(source: str) -> bool:
    whole = {(one.first, one.last) for one in statements(source) if one.tree}
    parts = [part for part in margin_parts(source) if part.text.strip()]
    decorated = {one.lineno for one in ast.parse(source).body if getattr(one, "decorator_list", ())}
    # Without the comments behind each part.
    trees = [(part, Lines(part.first, part.text).tree) for part in parts]
    ends = {tree.body[-1].end_lineno for part, tree in trees if tree and part.tree and tree.body}
    firsts = {first for first, _ in whole} - decorated
    return {last for _, last in whole} <= ends and firsts <= {part.first for part in parts}


BROKEN = '''\
x = (1,
def f(y):
    """Text
def g(): pass
    """
    return y
scores = softmax(
a,
b)
def h(
'''


def test_a_bracket_that_was_left_open_ends_before_a_definition() -> None:
    assert [part.first for part in margin_parts(BROKEN)] == [1, 2, 7, 10]


def test_lines_that_name_something_stand_outside_of_texts() -> None:
    assert [(line.name, line.kind, line.line) for line in named_lines(BROKEN)] == [
        ("x", "assigned", 1),
        ("f", "defined", 2),
        ("scores", "assigned", 7),
        ("h", "defined", 10),
    ]
    assert list(named_lines("class A:\n    def f(self):")) == [
        NamedLine("A", "defined", 1),
        NamedLine("f", "defined", 2, 4),
    ]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import torch.nn, numpy as np", "torch np"),
        ("from torch import (nn, softmax as s", "nn s"),
        ("a, b: int = (", "a b"),
        ("fed step(x:", "step"),
        ("async def step(:", "step"),
        *((line, "") for line in ("x.y = 1 1", "a == b c", "return = 3")),
    ],
)
def test_a_line_that_is_no_python_should_have_named_something(line: str, names: str) -> None:
    assert names_in(line) == tuple(names.split())


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("for a, (b, *c) in d: e = f", "e a b c"),
        ("x = {k: v for k, v in y}", "x"),
        ("x = [(z := y) for y in w]", "x z"),
        ("if a:\n    def f(): b = 1\n    class C: d = 1", "f C"),
        ("match a:\n    case [b, *c]: pass", "b c"),
        ("import a.b, c as d", "a d"),
    ],
)
def test_the_names_that_a_statement_binds(source: str, names: str) -> None:
    [node] = ast.parse(source).body
    assert set(names_bound(node)) == set(names.split())


def test_open_brackets_are_those_outside_of_texts_and_comments() -> None:
    assert open_brackets("f(x[0], ')', \"(\"  # )") == "("
    assert open_brackets(")", open_brackets("[(")) == "["
