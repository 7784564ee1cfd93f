"""Slips that the student's source shows, and source that only looks like one."""

from __future__ import annotations

import pytest

from autograder.explain.class_rules import constructor_misspelt, forward_misplaced
from autograder.explain.foreign import self_left_out, variable_for_an_argument
from autograder.explain.slips import (
    leftover_raise,
    nothing_returned,
    number_with_comma,
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
    "line",
    [
        "return scores / d_k ** 0,5",
        "return torch.softmax(scores / d_k ** 0,5, dim=-1)",
        "scale = 0,5",
        "return scores / d_k**0, 5",
        "return scores / torch.pow(d_k, 0,5)",
    ],
)
def test_a_decimal_comma_is_noticed(line: str) -> None:
    definition = read(f"def f(scores, d_k):\n    {line}\n")
    found = number_with_comma(definition)
    assert found is not None
    assert "0.5" in found.says


@pytest.mark.parametrize(
    "line",
    [
        "return torch.rand(3,2)",
        "return x[0,1]",
        "return scores / 2, 3",
        "return max(a+1,2)",
        "return a * 2,b",
        "shape = (3,2)",
        "a, b = 1,2",
        "return x.transpose(0,1)",
        "return torch.randint(0, 10, (a, b)) * scores",
        "return torch.randint(0,10,(a,b)) * scores",
        "return x.narrow(dim, 0, 2)",
    ],
)
def test_other_commas_are_left_alone(line: str) -> None:
    definition = read(f"def f(x, scores, a, b):\n    {line}\n")
    assert number_with_comma(definition) is None


def test_a_variable_of_the_file_for_an_argument_is_noticed() -> None:
    definition = read("inputs = 1\ndef f(x, W):\n    return inputs @ W\n")
    found = variable_for_an_argument(definition)
    assert found is not None
    assert "`inputs`" in found.says
    assert "`x`" in found.says


@pytest.mark.parametrize(
    "source",
    [
        "inputs = 1\ndef f(x, W):\n    return x @ W\n",
        "inputs = 1\ndef f(x, W):\n    inputs = x\n    return inputs @ W\n",
        "EPS = 1\ndef f(x, W):\n    return x @ W + EPS\n",
        "def f(x, W):\n    return W @ W\n",
    ],
)
def test_other_variables_are_left_alone(source: str) -> None:
    definition = read(source)
    assert variable_for_an_argument(definition) is None


def test_a_forgotten_self_is_noticed() -> None:
    source = (
        "W_key = 1\nclass A:\n    def __init__(self):\n        self.W_key = 2\n"
        "    def forward(self, x):\n        return x @ W_key\n"
    )
    definition = read(source, "A")
    found = self_left_out(definition)
    assert found is not None
    assert "`self.W_key`" in found.says


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("    y = x\n    raise NotImplementedError()", "Line 3"),
        ("    raise NotImplementedError\n    return x", "Line 2"),
        ("    return x\n    raise NotImplementedError()", "below"),
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
    ("source", "name"),
    [
        ("def f(x):\n    y = x\n", "no_return"),
        ("def f(x):\n    print(x)\n", "no_return"),
        ("def g(x):\n    x + 1\ndef f(x):\n    return g(x)\n", "helper_without_return"),
        ("def g(x):\n    x + 1\ndef f(x):\n    y = g(x)\n    return y\n", "helper_without_return"),
    ],
)
def test_a_missing_return_is_noticed(source: str, name: str) -> None:
    definition = read(source)
    found = nothing_returned(definition)
    assert found is not None
    assert found.name == name


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
    assert constructor_misspelt(definition) is not None


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("class A:\n    def foward(self, x):\n        pass\n", "forward_misspelt"),
        ("class A:\n    def Forward(self, x):\n        pass\n", "forward_misspelt"),
        (
            "class A:\n    def __init__(self):\n        def forward(self, x):\n            pass\n",
            "forward_nested",
        ),
        ("class A:\n    pass\n\ndef forward(self, x):\n    pass\n", "forward_outside"),
    ],
)
def test_a_misplaced_forward_is_noticed(source: str, name: str) -> None:
    definition = read(source, "A")
    found = forward_misplaced(definition)
    assert found is not None
    assert found.name == name
