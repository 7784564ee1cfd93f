"""What is kept between submissions decides nothing: the same bytes in each order, and alone."""

from __future__ import annotations

import contextlib
import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from autograder.exam.right_values import RightTracer
from autograder.exam.substitution import Substitution
from autograder.grading.grade import grade
from autograder.reports.gradescope_json import dump_results
from autograder.submission.read import Submission
from tests.exams import exam_of, source_of
from tests.truth.variant import base_of

if TYPE_CHECKING:
    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox

NAME = "causal_multihead"
# Right answers stand in for it, made with the arguments of each call.
WRONG_CLASS = """
class CausalAttention(CausalAttention):
    def forward(self, x):
        return super().forward(x) * 1.5
"""
WRAPPER = """
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        heads = [CausalAttention({arguments}) for _ in range(num_heads)]
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim={dim})
"""
WEIGHTS = """
def causal_weights(queries, keys, mask):
    scores = queries @ keys.transpose(-2, -1){scale}
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim={dim})
"""


def wrapper(arguments: str, dim: int = -1) -> str:
    return WRONG_CLASS + WRAPPER.format(arguments=arguments, dim=dim)


SUBMISSIONS = {
    "whole numbers": wrapper("d_in, d_out, context_length, dropout, qkv_bias"),
    "a float of the same value": wrapper("d_in, d_out / 1, context_length, dropout, qkv_bias"),
    "a bool as a number": wrapper("d_in, d_out, context_length, bool(dropout), qkv_bias"),
    "a number as a bool": wrapper("d_in, d_out, context_length, dropout, int(qkv_bias)"),
    "by name": wrapper("d_in, d_out=d_out, context_length=context_length, dropout=dropout"),
    "along the tokens": wrapper("d_in, d_out, context_length, dropout, qkv_bias", dim=1),
    "no scale": WEIGHTS.format(scale="", dim=-1),
    "columns": WEIGHTS.format(scale=" / math.sqrt(keys.shape[-1])", dim=-2),
    "raises": WEIGHTS.format(scale=" / keys.shape", dim=-1),
    "right": "",
}


def new_exam() -> Exam:
    """Return the exam as a new process has it."""
    source = source_of(NAME)
    return replace(
        exam_of(NAME),
        substitution=Substitution(source),
        right_values=RightTracer(source),
    )


def graded(sandbox: Sandbox, exam: Exam, name: str) -> bytes:
    pieces = ((f"{NAME}.py", base_of(NAME) + SUBMISSIONS[name]),)
    with contextlib.redirect_stdout(io.StringIO()):
        result = grade(exam, Submission("student", pieces, "0" * 64), sandbox)
    return dump_results(replace(result, execution_time=0.0))


def test_an_argument_of_another_type_is_another_argument(sandbox: Sandbox) -> None:
    """A float is no size of a layer, whoever made a layer of that size before."""
    pair = ("whole numbers", "a float of the same value")
    exam = new_exam()
    first = [graded(sandbox, exam, name) for name in pair]
    assert b"raised" in first[1]
    assert b"raised" not in first[0]
    exam = replace(exam, substitution=Substitution(source_of(NAME)))
    assert [graded(sandbox, exam, name) for name in reversed(pair)] == first[::-1]


@pytest.mark.slow
def test_neither_order_nor_company_changes_a_byte(sandbox: Sandbox) -> None:
    exam = new_exam()
    first = {name: graded(sandbox, exam, name) for name in SUBMISSIONS}
    exam = new_exam()
    second = {name: graded(sandbox, exam, name) for name in reversed(SUBMISSIONS)}
    alone = {name: graded(sandbox, new_exam(), name) for name in SUBMISSIONS}
    assert [name for name in SUBMISSIONS if not first[name] == second[name] == alone[name]] == []
