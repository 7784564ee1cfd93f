"""Which definition is suggested for a step that is missing."""

from __future__ import annotations

import pytest

from autograder.explain.ended import under_another_name
from autograder.explain.student_code import StudentCode, Submitted

pytestmark = pytest.mark.unit

STUBS = {
    "attention_output": "def attention_output(weights, V):\n    raise NotImplementedError()\n",
    "Attention": "class Attention(nn.Module):\n    def forward(self, x):\n        pass\n",
}


def suggested(source: str, step: str = "attention_output") -> str | None:
    code = StudentCode([("work.py", source)])
    return under_another_name(step, code.defined, Submitted(code, STUBS))


@pytest.mark.parametrize(
    "first_line",
    [
        "def attention_outputs(weights, V)",
        "def attention_outputs(text)",
        "def self_attention(weights, values)",
        "def self_attention(weights, values, dropout=0.0)",
        "def self_attention(*arguments)",
    ],
)
def test_a_near_name_is_suggested_if_it_fits(first_line: str) -> None:
    name = first_line.removeprefix("def ").split("(")[0]
    assert suggested(f"{first_line}:\n    return 1\n") == name


@pytest.mark.parametrize(
    "first_line",
    [
        "def self_attention(text)",
        "def self_attention(x, w_query, w_key)",
        "class SelfAttention(nn.Module)",
        "class self_attention",
        "def something_else(weights, V)",
    ],
)
def test_something_else_is_not_suggested(first_line: str) -> None:
    assert suggested(f"{first_line}:\n    pass\n") is None


def test_another_step_is_not_suggested() -> None:
    assert suggested("class Attention:\n    pass\n", "Attentions") is None
