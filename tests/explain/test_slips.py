"""Slips that the student's source shows, and source that only looks like one."""

from __future__ import annotations

import pytest

from autograder.explain.class_rules import method_missing
from autograder.explain.slips import (
    argument_overwritten,
    leftover_raise,
    nothing_returned,
    overwritten_in_each_round,
    returned_in_a_loop,
)
from autograder.explain.student_code import Definition, StudentCode

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
        ("    d_k = 2\n    return x / d_k", "line 2"),
        ("    y = x\n    d_k = y.shape[1]\n    return y / d_k", "line 3"),
        ("    d_k = d_k**0.5\n    return x / d_k", ""),
        ("    root = d_k**0.5\n    d_k = 2\n    return x / root", ""),
    ],
)
def test_an_argument_that_is_lost_is_noticed(body: str, line: str) -> None:
    found = argument_overwritten(read(f"def f(x, d_k):\n{body}\n"))
    assert line in found.says if found else not line


@pytest.mark.parametrize(
    ("loop", "noticed"),
    [
        ("for a in x:\n        s = 0\n        s += a\n    return s", True),
        ("s = 0\n    for a in x:\n        s = s + a\n    return s", False),
        ("for a in x:\n        s = 0\n        s += a\n        x[a] = s\n    return x", False),
        ("for a in x:\n        for b in x:\n            y[a] = a * b\n    return y", True),
        ("for a in x:\n        for b in x:\n            y[a] = y[a] + a * b\n    return y", False),
        ("for a in x:\n        y[a][0] = a * 2\n    return y", False),
        ("for a in x:\n        s = a * 2\n        rows.append(s)\n    return rows", False),
        ("for a in x:\n        d = x.shape[0]\n    return d", False),
        ("for a in x:\n        y[n] = a\n        n += 1\n    return y", False),
        ("for a, b in x:\n        a = b * 2\n    return x", False),
    ],
)
def test_what_is_left_of_the_last_round_alone_is_noticed(loop: str, noticed: bool) -> None:
    assert (overwritten_in_each_round(read(f"def f(x):\n    {loop}\n")) is not None) is noticed


@pytest.mark.parametrize(
    ("loop", "noticed"),
    [
        ("for a in x:\n        return a", True),
        ("for a in x:\n        if a:\n            return a\n    return 0", False),
        ("for a in x:\n        if a:\n            continue\n        return a", False),
    ],
)
def test_a_return_that_ends_a_loop_is_noticed(loop: str, noticed: bool) -> None:
    assert (returned_in_a_loop(read(f"def f(x):\n    {loop}\n")) is not None) is noticed


FUNCTION = "def f(x):\n    raise NotImplementedError()\n"


@pytest.mark.parametrize(
    ("source", "stub", "words"),
    [
        ("def f(x):\n    y = x\n    raise NotImplementedError()", FUNCTION, "Line 3"),
        ("def f(x):\n    raise NotImplementedError\n    return x", FUNCTION, "Line 2"),
        ("def f(x):\n    return x\n    raise NotImplementedError()", FUNCTION, "beside the code"),
        (STUB, STUB, ""),
        (STUB.replace("# YOUR CODE HERE", '"""A text."""'), STUB, ""),
        (STUB.replace("# YOUR", "pass  # YOUR"), STUB, ""),
        (STUB.replace("# YOUR CODE HERE", "self.W = 1", 1), STUB, "`__init__`"),
    ],
)
def test_a_raise_beside_code_is_noticed_and_a_stub_is_not(
    source: str, stub: str, words: str
) -> None:
    found = leftover_raise(read(source, "f" if stub == FUNCTION else "Attention"), stub)
    assert words in found.says if found else not words


@pytest.mark.parametrize(
    ("source", "where"),
    [
        ("def f(x):\n    print(x)\n", "The end of `f` (line 2)"),
        ("def g(x):\n    x + 1\ndef f(x):\n    y = g(x)\n    return y\n", "The end of `g` (line 2)"),
        ("def f(x):\n    return x\n", ""),
        ("def f(x):\n    if x:\n        return\n    return x\n", ""),
    ],
)  # fmt: skip
def test_a_missing_return_is_noticed(source: str, where: str) -> None:
    found = nothing_returned(read(source))
    assert where in found.look if found else not where


@pytest.mark.parametrize("name", ["_init_", "__int__", "init", "__init", "_init__", "__Init__"])
def test_a_misspelt_constructor_is_noticed(name: str) -> None:
    definition = read(f"class A:\n    def {name}(self):\n        pass\n", "A")
    assert f"rename `{name}` to `__init__`" in method_missing(definition, "__init__").look


@pytest.mark.parametrize(
    ("source", "name"),
    [
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
