"""Which definition is suggested for a step that is missing, and which step an exception came from."""

from __future__ import annotations

import pytest

from autograder.explain.ended import called_step, explain_missing, other_step
from autograder.explain.student_code import StudentCode, Submitted
from autograder.results import Frame, LoadReport, StudentError

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


def test_a_near_name_is_suggested_and_no_other_function_or_step() -> None:
    assert "`attentionOutput`: did you mean `attention_output`?" in hint("attentionOutput")
    for words in (hint("something_else"), hint("Attention"), hint("Attention", "Attentions")):
        assert "did you mean" not in words


def test_the_step_that_was_called_is_told_from_the_one_that_raised() -> None:
    functions = ("variances", "helper", "scaled", "raw")
    frames = tuple(Frame("work.py", 1, name, "") for name in functions)
    error = StudentError("RuntimeError", "", frames)
    steps = {"variances", "scaled", "raw"}
    assert called_step("variances", error, steps) == "scaled"
    assert other_step("variances", error, steps) == "raw"
    assert called_step("raw", StudentError("RuntimeError", "", frames[-1:]), steps) == ""
