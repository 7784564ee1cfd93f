"""What expressions compute is recorded, and code does the same as without the recorder."""

from __future__ import annotations

import ast
import types
from typing import Any

import numpy as np
import pytest

from autograder.assignment.recorder import (
    FIRST,
    LAST,
    MOST_EVENTS,
    MOST_NUMBERS,
    MOST_RECORDS,
    Recorder,
    sites,
)
from autograder.values.values import Array, ListValue


def recorded(source: str, *arguments: object) -> tuple[list[tuple[str, ListValue]], Any]:
    """Return what was recorded of a call of `f`: sources of expressions with what was sent; and what it returned."""
    import torch  # noqa: PLC0415 - only where a test runs

    tree, again = ast.parse(source), ast.parse(source)
    every = [site for statement in again.body for site in sites(statement)]
    module, recorder = types.ModuleType("work"), Recorder()
    recorder.prepare(module, tree.body)
    vars(module).update(torch=torch, np=np)
    exec(compile(tree, "work.py", "exec"), vars(module))
    with recorder.recording():
        answer = module.f(*arguments)
    found = []
    for record in recorder.records().items:
        assert isinstance(record, ListValue)
        number, _, _, _, *rest = record.items
        assert isinstance(number, int)
        found.append((ast.unparse(every[number].node), ListValue("list", tuple(rest))))
    return found, answer


def values(source: str, *arguments: object) -> list[tuple[str, object]]:
    """Return the values that were sent whole, arrays as lists."""
    found, _ = recorded(source, *arguments)
    sent = [(name, one.items[1]) for name, one in found if one.items[0] == "value"]
    return [(name, one.data.tolist() if isinstance(one, Array) else one) for name, one in sent]


def test_operators_calls_indices_and_names_tell_their_values() -> None:
    source = "def f(x):\n    y = x * 2\n    return abs(y[0])\n"
    assert values(source, np.array([-3.0, 1.0])) == [
        ("x", [-3.0, 1.0]),
        ("x * 2", [-6.0, 2.0]),
        ("y", [-6.0, 2.0]),
        ("y[0]", -6.0),
        ("abs(y[0])", 6.0),
    ]


def test_a_file_that_takes_the_recorders_name_is_recorded() -> None:
    """What it binds to the name counts for its own lines only."""
    source = "def f(x):\n    return x + 1\n__trace__ = lambda number, value: 7\n"
    assert values(source, np.array([1.0])) == [("x", [1.0]), ("x + 1", [2.0])]


def test_what_changes_in_place_is_told_as_it_was() -> None:
    source = "def f(x):\n    x[0] = 5.0\n    x += 1.0\n    return x\n"
    told = [value for name, value in values(source, np.array([1.0, 2.0])) if name == "x"]
    assert told == [[5.0, 2.0], [6.0, 3.0], [6.0, 3.0]]


def test_of_many_rounds_the_first_and_the_last_are_kept() -> None:
    source = "def f(n):\n    for i in range(n):\n        i * 10\n"
    told = [value for name, value in values(source, 100) if name == "i * 10"]
    assert told == [*range(0, 10 * FIRST, 10), *range(1000 - 10 * LAST, 1000, 10)]


def test_there_is_an_end_to_what_is_recorded() -> None:
    lines = "\n".join(f"    y = x + {number}" for number in range(2 * MOST_RECORDS))
    found, _ = recorded(f"def f(x):\n{lines}\n", 1)
    assert len(found) == MOST_RECORDS
    found, answer = recorded(
        "def f(n):\n    for i in range(n):\n        i + 1\n    return i\n", 2 * MOST_EVENTS
    )
    assert answer == 2 * MOST_EVENTS - 1
    assert len(found) <= 4 * (FIRST + LAST)


def test_a_large_array_tells_its_shape_only() -> None:
    found, _ = recorded("def f(n):\n    return np.zeros((n, 2))\n", MOST_NUMBERS)
    assert found[-1][0] == "np.zeros((n, 2))"
    assert found[-1][1].items == ("large", "ndarray", "float64", MOST_NUMBERS, 2)


CLASS = """
class A:
    def __init__(self, x):
        super().__init__()
        self.x = x
    def f(self):
        return [one + self.x for one in range(3)]
def f(x):
    return A(x).f()
"""
STARS = """
def f(x, *more, key=lambda one: -one):
    first, *rest = sorted([x, 2, 3, *more], key=key)
    return rest
"""
SCOPES = """
def f(x):
    def g():
        nonlocal x
        x += 1
        yield x
    return [*g()], (y := x), f"{x=} {y}"
"""
MATCH = """
def f(x):
    match [x, 2]:
        case [a, b] if a < b:
            del a
            return b
"""
ERROR = """
def f(x):
    try:
        return x // 0
    except ZeroDivisionError as error:
        return str(error)
"""


@pytest.mark.parametrize("source", [CLASS, STARS, SCOPES, MATCH, ERROR])
def test_code_does_the_same(source: str) -> None:
    space: dict[str, Any] = {}
    exec(source, space)
    _, answer = recorded(source, 1)
    assert answer == space["f"](1)


def test_objects_that_lie_run_nothing_while_they_are_recorded() -> None:
    source = """
def f(calls):
    class Meta(type):
        @property
        def __name__(cls): calls.append(1)
    class Liar(metaclass=Meta):
        def __getattribute__(self, name): calls.append(name)
        def __repr__(self): calls.append(2)
        def __array__(self, *_): calls.append(3)
        def __call__(self): calls.append(4)
        def __len__(self): calls.append(5)
    liar = Liar()
    both = [liar, Liar]
    both[0], both[1], both
    return calls
"""
    assert recorded(source, [])[1] == []
