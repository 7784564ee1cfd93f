"""The sizes that a function held where it raised."""

from __future__ import annotations

from typing import cast

import pytest

from autograder.sandbox.inside.held import MOST
from autograder.sandbox.inside.student import load

HEAD = "import torch\nimport numpy as np\nfrom torch import nn\n"


def held(source: str) -> dict[str, tuple[list[int], bool]]:
    """What the worker reports of an exception in this source."""
    failure = load("student", [("student.py", f"{HEAD}{source}\n")]).failures[-1]
    found = cast("list[dict[str, object]]", failure["held"])
    return {
        cast("str", one["name"]): (cast("list[int]", one["sizes"]), cast("bool", one["is_number"]))
        for one in found
    }


def test_shapes_and_whole_numbers_are_held() -> None:
    body = "n, share, name = 3, 0.5, 'x'\n    x, a = torch.ones(2, n), np.ones(4)\n    1 / 0"
    assert held(f"def step():\n    {body}\n\nstep()") == {
        "n": ([3], True),
        "x": ([2, 3], False),
        "a": ([4], False),
    }


def test_what_a_module_stores_is_held_by_its_path() -> None:
    lines = ["def __init__(self):", "    super().__init__()", "    self.width = 5",
             "    self.w = nn.Parameter(torch.ones(2, 3))", "    self.register_buffer('mask', torch.ones(4, 4))",
             "    1 / 0"]  # fmt: skip
    source = "\n    ".join(["class Step(nn.Module):", *lines])
    assert held(f"{source}\n\nStep()") == {
        "self.width": ([5], True),
        "self.w": ([2, 3], False),
        "self.mask": ([4, 4], False),
    }


def test_the_innermost_function_counts_and_not_the_file() -> None:
    functions = "def inner(y):\n    1 / 0\n\ndef step():\n    z = 1\n    inner(2)\n\nstep()"
    assert held(f"x = torch.ones(9)\n{functions}") == {"y": ([2], True)}
    assert held("x = torch.ones(9)\n1 / 0") == {}


@pytest.mark.parametrize(
    "line",
    [
        "class T(torch.Tensor):\n        shape = property(lambda self: 1 / 0)\n    x = torch.ones(2).as_subclass(T)",
        "n = -1",
        "n = 10**5000",
        "flag = True",
    ],
)
def test_what_is_no_plain_size_is_left_out(line: str) -> None:
    assert not held(f"def step():\n    {line}\n    raise ValueError\n\nstep()")


def test_a_module_that_is_not_made_yet_tells_nothing() -> None:
    source = "class Step(nn.Module):\n    def __init__(self):\n        self.w = nn.Linear(2, 2)\n\nStep()"
    assert not held(source)


def test_many_variables_are_cut() -> None:
    names = "\n    ".join(f"a{number} = {number}" for number in range(100))
    assert len(held(f"def step():\n    {names}\n    1 / 0\n\nstep()")) == MOST
