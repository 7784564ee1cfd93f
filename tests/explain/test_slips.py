"""Slips that the student's source shows, and source that only looks like one."""

from __future__ import annotations

import pytest

from autograder.explain.class_rules import method_missing
from autograder.explain.properties import WrongAnswer
from autograder.explain.slips import (
    argument_overwritten,
    leftover_raise,
    nothing_returned,
    overwritten_in_each_round,
    returned_in_a_loop,
    slip_of,
)
from autograder.explain.student_code import Definition, StudentCode
from autograder.values.values import tensor

pytestmark = pytest.mark.unit

STUB = """\
class Attention(nn.Module):
    def __init__(self, d_in):
        super().__init__()
        # YOUR CODE HERE
        raise NotImplementedError()

    def forward(self, x):
        # YOUR CODE HERE
        raise NotImplementedError()
"""


def read(source: str, name: str = "f") -> Definition:
    found = StudentCode([("work.py", source)]).definition(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("    d_k = 2\n    return x / d_k", 2),
        ("    y = x\n    d_k = y.shape[1]\n    return y / d_k", 3),
        ("    d_k = d_k**0.5\n    return x / d_k", 0),
        ("    root = d_k**0.5\n    d_k = 2\n    return x / root", 0),
    ],
)
def test_an_argument_that_is_lost_is_noticed(body: str, line: int) -> None:
    found = argument_overwritten(read(f"def f(x, d_k):\n{body}\n"))
    assert (found is not None) is bool(line)
    if found is not None:
        assert f"line {line}" in found.says.lower()
        assert "`d_k`" in found.says


@pytest.mark.parametrize(
    ("loop", "noticed"),
    [
        ("for a in x:\n        s = 0\n        s += a\n    return s", True),
        ("for a in x:\n        rows = []\n        rows.append(a)\n    return rows", True),
        ("s = 0\n    for a in x:\n        s = s + a\n    return s", False),
        ("for a in x:\n        s = 0\n        s += a\n        x[a] = s\n    return x", False),
        ("for a in x:\n        s = a * 2\n        s += a\n    return s", True),
        ("for a in x:\n        s = a * 2\n    return s", True),
        ("for a in x:\n        for b in x:\n            y[a] = a * b\n    return y", True),
        ("for a in x:\n        for b in x:\n            y[a] = y[a] + a * b\n    return y", False),
        ("for a in x:\n        y[a][0] = a * 2\n    return y", False),
        ("for a in x:\n        s = a * 2\n        rows.append(s)\n    return rows", False),
        ("for a in x:\n        d = x.shape[0]\n    return d", False),
        ("for a in x:\n        y[n] = a\n        n += 1\n    return y", False),
    ],
)
def test_what_is_left_of_the_last_round_alone_is_noticed(loop: str, noticed: bool) -> None:
    assert (overwritten_in_each_round(read(f"def f(x):\n    {loop}\n")) is not None) is noticed


@pytest.mark.parametrize(
    ("loop", "noticed"),
    [
        ("for a in x:\n        return a", True),
        ("while x:\n        y = 1\n        return y", True),
        ("for a in x:\n        if a:\n            return a\n    return 0", False),
        ("for a in x:\n        if a:\n            continue\n        return a", False),
    ],
)
def test_a_return_that_ends_a_loop_is_noticed(loop: str, noticed: bool) -> None:
    assert (returned_in_a_loop(read(f"def f(x):\n    {loop}\n")) is not None) is noticed


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("    y = x\n    raise NotImplementedError()", "Line 3"),
        ("    raise NotImplementedError\n    return x", "Line 2"),
        ("    return x\n    raise NotImplementedError()", "beside the code"),
    ],
)
def test_a_raise_beside_code_is_noticed(body: str, words: str) -> None:
    definition = read(f"def f(x):\n{body}\n")
    found = leftover_raise(definition, "def f(x):\n    raise NotImplementedError()\n")
    assert found is not None
    assert words in found.says


def test_a_stub_is_not_called_finished() -> None:
    for source in (
        STUB,
        STUB.replace("# YOUR CODE HERE", '"""A text."""'),
        STUB.replace("# YOUR", "pass  # YOUR"),
    ):
        definition = read(source, "Attention")
        assert leftover_raise(definition, STUB) is None


def test_a_class_is_finished_in_one_method() -> None:
    source = STUB.replace("# YOUR CODE HERE", "self.W = 1", 1)
    definition = read(source, "Attention")
    found = leftover_raise(definition, STUB)
    assert found is not None
    assert "`__init__`" in found.says


@pytest.mark.parametrize(
    ("source", "where"),
    [
        ("def f(x):\n    y = x\n", "The end of `f` (line 2)"),
        ("def f(x):\n    print(x)\n", "The end of `f` (line 2)"),
        ("def g(x):\n    x + 1\ndef f(x):\n    return g(x)\n", "The end of `g` (line 2)"),
        (
            "def g(x):\n    x + 1\ndef f(x):\n    y = g(x)\n    return y\n",
            "The end of `g` (line 2)",
        ),
    ],
)
def test_a_missing_return_is_noticed(source: str, where: str) -> None:
    found = nothing_returned(read(source))
    assert found is not None
    assert where in found.look


def test_an_input_that_was_changed_is_told() -> None:
    found = slip_of(
        WrongAnswer(tensor([1.0]), tensor([2.0]), read("def f(x):\n    return x\n"), ("x",))
    )
    assert found is not None
    assert "changes its input in place: after the call, the caller's `x`" in found.says


def test_a_return_that_is_there_is_seen() -> None:
    for source in (
        "def f(x):\n    return x\n",
        "def f(x):\n    if x:\n        return\n    return x\n",
    ):
        definition = read(source)
        assert nothing_returned(definition) is None


@pytest.mark.parametrize(
    "name", ["_init_", "__int__", "init", "__init", "__init_", "_init__", "__Init__"]
)
def test_a_misspelt_constructor_is_noticed(name: str) -> None:
    definition = read(f"class A:\n    def {name}(self):\n        pass\n", "A")
    found = method_missing(definition, "__init__")
    assert f"rename `{name}` to `__init__`" in found.look


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("class A:\n    def foward(self, x):\n        pass\n", "method_misspelt"),
        ("class A:\n    def Forward(self, x):\n        pass\n", "method_misspelt"),
        (
            "class A:\n    def __init__(self):\n        def forward(self, x):\n            pass\n",
            "method_misplaced",
        ),
        ("class A:\n    pass\n\ndef forward(self, x):\n    pass\n", "method_misplaced"),
    ],
)
def test_a_misplaced_forward_is_noticed(source: str, name: str) -> None:
    definition = read(source, "A")
    assert method_missing(definition, "forward").name == name
