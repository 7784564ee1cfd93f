"""One reader of source: what Python parses and what is only cut agree."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from autograder.python_source import (
    MOST_AT_ONCE,
    Lines,
    NamedLine,
    excerpt,
    margin_parts,
    named_lines,
    names_bound,
    names_in,
    open_brackets,
    statements,
    statements_of,
)
from tests.trusted_cost import measured

if TYPE_CHECKING:
    from collections.abc import Callable

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
    assert open_brackets("[()") == "["


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("x = f(\na,\nb)\ny = (\n1 1", [(1, 3), (4, 4), (5, 5)]),
        ("x = 1 + \\\ny\nz z", [(1, 2), (3, 3)]),
        ("@a(\n1,\n2,\n)\n@b(\n3,\n4)\ndef f(): pass\nz z", [(8, 8), (9, 9)]),
        ("x = (\ndef f(\na): pass\ny = g(\n1)", [(1, 1), (2, 3), (4, 5)]),
    ],
)
def test_neighbours_that_only_parse_together_are_joined(
    source: str, lines: list[tuple[int, int]]
) -> None:
    assert [(one.first, one.last) for one in statements(source)] == lines


# What hostile sources repeat: a text, or one text and then another.
REPEATED = [
    *(f"x = {bracket}" for bracket in "([{"),
    *("([{", "f(a=", "x = (|)", "x = [|]]", "(1 1|)", "@a(|)", "@a", "@a(\nb", "x \\", "\\"),
    *("this is prose", "and so\n  on", "def f():\n    x = 1|y\n    z z", "x = 1|   y = 2"),
    *("def f():\n  x x", "def f(:", "if a:\n  b\nelse:", "else:", "try:\n  x", "except:\n  x"),
    *('"', "'\"", "f'{", '"""', 'a = \\"""\ndef f(): pass', 'a = """\ndef f(): pass\ny y'),
    *("# %%\nx = (", "# %%\nx x", "if x:\n\tif y:\n        z", "%time x", ">>> x", ")", "\f x"),
]


def repeated(text: str, times: int) -> str:
    first, _, second = text.partition("|")
    return f"{first}\n" * times + f"{second}\n" * (times if second else 0) + "1 1\n"


class Work:
    """Counts calls of functions, and the characters that are given to Python's parser."""

    def __init__(self) -> None:
        self.calls = self.parsed = 0

    def of(self, read: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> Work:
        parse = ast.parse

        def counting(text: str) -> ast.Module:
            self.parsed += len(text)
            return parse(text)

        def called(*_: object) -> None:
            self.calls += 1

        with monkeypatch.context() as patch:
            patch.setattr(ast, "parse", counting)
            sys.setprofile(called)
            try:
                read()
            finally:
                sys.setprofile(None)
        return self


@pytest.mark.parametrize("text", REPEATED)
def test_reading_takes_linear_work_whatever_is_repeated(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    once, twice = repeated(text, 50), repeated(text, 100)
    for read in (statements, margin_parts, named_lines):
        less = Work().of(lambda read=read: list(read(once)), monkeypatch)  # type: ignore[misc]
        more = Work().of(lambda read=read: list(read(twice)), monkeypatch)  # type: ignore[misc]
        assert more.calls < 2.5 * less.calls
        assert more.parsed <= 18 * len(twice)


@pytest.mark.parametrize("end", ["", "\"\"\"\nx = '''\n"])
def test_the_ends_of_strings_are_found_in_linear_time(end: str) -> None:
    source = 'a = \\"""\ndef f(): pass\n' * 4_000 + end
    with measured() as cost:
        assert {line.name for line in named_lines(source)} >= {"f"}
    assert cost.units < 100


def test_a_long_text_is_never_parsed_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    function, long = "def f(x):\n    return -x\n\n", "x = [" + "1," * MOST_AT_ONCE + "]\n"
    pieces = [("a", function), ("b", f"{function}{long}{function}"), ("c", function)]
    every = list(statements_of(pieces))
    found: list[object] = []
    work = Work().of(lambda: found.extend(statements_of(pieces, MOST_AT_ONCE)), monkeypatch)
    shown = [(label, one.first, one.names) for label, _, one in every]
    assert shown == [
        ("a", 1, ("f",)),
        ("b", 1, ("f",)),
        ("b", 4, ("x",)),
        ("b", 5, ("f",)),
        ("c", 1, ("f",)),
    ]
    assert len(found) == 2
    assert work.parsed < 200


@pytest.mark.parametrize("text", REPEATED)
def test_a_limit_changes_no_statement_before_it(text: str) -> None:
    pieces = [("a", "def f(x):\n    return -x\n"), ("b", repeated(text, 40)), ("c", "y = 1")]
    every = [(label, one.first, one.last) for label, _, one in statements_of(pieces)]
    for most in range(0, 400, 90):
        some = [(label, one.first, one.last) for label, _, one in statements_of(pieces, most)]
        assert some[:-1] == every[: len(some)][:-1]


def test_an_excerpt_is_cut_by_bytes() -> None:
    lines = ["größe = softmax(\n", "    scörés) + 1\n"]
    node = ast.parse("".join(lines)).body[0].value.left  # type: ignore[attr-defined]
    assert excerpt(lines, node.col_offset, node.end_col_offset) == "softmax(\n    scörés)"
    assert excerpt(["ä\n"], 1, None) == "\ufffd\n"
