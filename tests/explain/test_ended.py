"""Which definition is suggested for a step that is missing."""

from __future__ import annotations

import pytest

from autograder.explain.ended import explain_missing
from autograder.explain.student_code import StudentCode, Submitted
from autograder.results import LoadReport

pytestmark = pytest.mark.unit

STUBS = {
    "attention_output": "def attention_output(weights, V):\n    raise NotImplementedError()\n",
    "Attention": "class Attention(nn.Module):\n    def forward(self, x):\n        pass\n",
}


def hint(name: str, step: str = "attention_output") -> str:
    """Return what to do where a file defines a function of this name, and the step is missing."""
    code = StudentCode([("work.py", f"def {name}(weights, V):\n    return 1\n")])
    submitted = Submitted(code, STUBS, (name,))
    return explain_missing(step, LoadReport((name,)), submitted).message


@pytest.mark.parametrize("name", ["attention_outputs", "atention_output", "attentionOutput"])
def test_a_near_name_is_suggested(name: str) -> None:
    assert f"It defines `{name}`: did you mean `attention_output`?" in hint(name)


@pytest.mark.parametrize("name", ["something_else", "Attention"])
def test_another_function_is_not_suggested(name: str) -> None:
    assert "did you mean" not in hint(name)


def test_another_step_is_not_suggested() -> None:
    assert "did you mean" not in hint("Attention", "Attentions")
