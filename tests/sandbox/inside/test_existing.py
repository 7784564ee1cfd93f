"""The names that exist where an exception missed one."""

from __future__ import annotations

import pytest

from autograder.sandbox.inside.existing import MOST, existing_names
from autograder.sandbox.inside.student import load

HEAD = "import math, torch\nimport numpy as np\nfrom torch import nn\nx, a = torch.ones(2, 2), np.ones(2)\n"


def existing(line: str) -> list[str]:
    failure = load("student", [("student.py", f"{HEAD}{line}\n")]).failures[-1]
    return list(failure["existing"])  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("torch.linalg.nrom(x)", ["norm"]),
        ("torch.Sofmax(x)", ["softmax"]),
        ("nn.softmax(x)", ["Softmax"]),
        ("nn.Parameters(x)", ["Parameter"]),
        ("np.softmax(x)", ["torch.softmax", "F.softmax"]),
        ("softmax(x)", ["torch.softmax", "F.softmax"]),
        ("x.masked_fil(x > 0, 1)", ["masked_fill"]),
        ("nn.Linear(2, 2).wieght", ["weight"]),
        ("from torch import softmaks", ["softmax"]),
        ("nn.parameter(x)", ["nn.Parameter"]),
        ("nn.Linear(2, 2, bais=1)", ["in_features", "out_features", "bias", "device", "dtype"]),
        ("(x @ x).softmax(dims=1)", ["dim"]),
        ("1 / 0", []),
        ("scores", []),
    ],
)
def test_the_object_is_asked(line: str, names: list[str]) -> None:
    assert existing(line)[: len(names) or None] == names


@pytest.mark.parametrize(
    "body",
    [
        "def __dir__(self): raise SystemExit",
        "def __dir__(self): return [1, None, 'nam', 'no name', '`nam`']",
        "def __dir__(self): return ['nam.' * 100]",
        "def __getattr__(self, name): raise AttributeError('no', name=3, obj=self)",
    ],
)
def test_an_object_of_ones_own_may_answer_anything(body: str) -> None:
    """What a tensor has in its place is named too."""
    assert set(existing(f"class C:\n    {body}\nC().name")) <= {"nam", "Tensor.name"}


def test_names_are_few_and_only_those_of_the_exceptions_object() -> None:
    arguments = ", ".join(f"a{number}" for number in range(100))
    assert len(existing(f"def f({arguments}): pass\nf(other=1)")) == MOST
    assert existing_names(AttributeError("no")) == []
    assert existing_names(TypeError("argument")) == []


def test_no_property_of_a_student_is_run_again(capsys: pytest.CaptureFixture[str]) -> None:
    scale = "@property\n    def scale(self):\n        print('runs')\n        return lambda number: number"
    assert existing(f"class C:\n    {scale}\nc = C()\nc.scale(factor=1)") == []
    assert capsys.readouterr().out == "runs\n"
