"""An answer that needs no queries and no keys keeps no points, whatever known mistakes it looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.exams import exam_of
from tests.graders import points_of
from tests.grading.test_stand_ins import source

if TYPE_CHECKING:
    from autograder.assignment.checks import Check

# Bodies that need no attention. m queries and n keys; `rows` repeats one row for each query.
BODIES = {
    "mean of the values": "rows(v.mean(-2, keepdim=True))",
    "mean added to nothing": "v * 0 + v.mean(-2, keepdim=True)",
    "mean of everything": "v * 0 + v.mean()",
    "cumulative mean": "v.cumsum(-2) / torch.arange(1.0, n + 1, dtype=v.dtype)[:, None]",
    "cumulative sum": "v.cumsum(-2)",
    "sum of the values": "rows(v.sum(-2, keepdim=True))",
    "largest values": "rows(v.amax(-2, keepdim=True))",
    "values": "v",
    "queries": "q",
    "keys": "k",
    "tokens": "x",
    "zeros": "v * 0",
    "ones": "v * 0 + 1",
    "equal weights": "torch.full((m, n), 1 / n, dtype=v.dtype) @ v",
    "identity": "torch.eye(m, n, dtype=v.dtype) @ v",
    "equal weights of what came before": "before / before.sum(-1, keepdim=True) @ v",
    "softmax of zeros": "torch.softmax(before * 0, -1) @ v",
    "softmax of a constant": "torch.softmax(before * 0 + 7, -1) @ v",
    "masked softmax of zeros": "torch.softmax(before.log(), -1) @ v",
    "softmax of random numbers": "torch.softmax(torch.rand(m, n, dtype=v.dtype), -1) @ v",
    "softmax of positions": "torch.softmax(before.cumsum(-1), -1) @ v",
    "softmax of the values": "torch.softmax(v, -1)",
    "softmax of the values over the tokens": "torch.softmax(v, -2)",
    "tokens compared with tokens": "torch.softmax(x @ x.mT / k.shape[-1] ** 0.5, -1) @ v",
    "tokens compared with tokens, all masked": (
        "torch.softmax(x @ x.mT / k.shape[-1] ** 0.5 + before.log(), -1) @ v"
    ),
    "tokens only": "torch.softmax(x @ x.mT / x.shape[-1] ** 0.5, -1) @ x",
    "values compared with values": "torch.softmax(v @ v.mT / k.shape[-1] ** 0.5, -1) @ v",
    "first token": "rows(v[..., :1, :])",
    "last token": "rows(v[..., -1:, :])",
    "token before": "v.roll(1, -2)",
    "neighbours": "(v + v.roll(1, -2)) / 2",
}
# Gradients reach queries and keys, too.
REACHES = " + 0 * (q.sum() + k.sum())"

CHEAP = """
import torch

def cheap(x, q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    before = torch.ones(m, n, dtype=v.dtype).tril()

    def rows(row):
        return row.expand(*q.shape[:-1], row.shape[-1])

    return {body}

"""
MATRICES = "x @ {one}.W_query, x @ {one}.W_key, x @ {one}.W_value"
LAYERS = "{one}.W_query(x), {one}.W_key(x), {one}.W_value(x)"
SELF = LAYERS.format(one="self")
FORWARD = "class {step}({step}):\n    def forward(self, x):\n        return {result}\n"
# Each step that mixes values by weights: its assignment, and how it is written around the body.
STEPS = {
    "SelfAttention_v1": ("self_attention", f"cheap(x, {MATRICES.format(one='self')})"),
    "SelfAttention_v2": ("self_attention", f"cheap(x, {SELF})"),
    "CausalAttention": ("causal_multihead", f"cheap(x, {SELF})"),
    "MultiHeadAttentionWrapper": (
        "causal_multihead",
        f"torch.cat([cheap(x, {LAYERS.format(one='head')}) for head in self.heads], -1)",
    ),
    "MultiHeadAttention": ("causal_multihead", f"self.out_proj(cheap(x, {SELF}))"),
}
FUNCTIONS = {
    "numpy_self_attention": (
        "numpy_attention",
        """
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    x, *matrices = map(torch.from_numpy, (x, w_query, w_key, w_value))
    return cheap(x, *(x @ matrix for matrix in matrices)).numpy()
""",
    ),
    "scaled_dot_product_attention": (
        "scaled_dot_product",
        """
def scaled_dot_product_attention(q, k, v):
    return cheap(q, q, k, v), torch.softmax(q @ k.T / k.shape[-1] ** 0.5, -1)
""",
    ),
}


def earned(step: str, body: str) -> tuple[Check, float]:
    """Return the check of a step and the points of this step with this body; all other steps are right."""
    if step in STEPS:
        assignment, result = STEPS[step]
        written = FORWARD.format(step=step, result=result)
    else:
        assignment, written = FUNCTIONS[step]
    exam = exam_of(assignment)
    check = next(check for check in exam.assignment.checks if check.name == step)
    text = source(assignment, CHEAP.format(body=body) + written)
    return check, points_of(exam, text, step)[step]


@pytest.mark.parametrize(
    "reaches", ["", pytest.param(REACHES, marks=pytest.mark.slow)], ids=["plain", "reaches"]
)
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("step", [*STEPS, *FUNCTIONS])
def test_no_attention_keeps_no_points_of_the_answer(step: str, body: str, reaches: str) -> None:
    check, points = earned(step, BODIES[body] + reaches)
    alone = sum(one.points for one in check.criteria if one.alone)
    assert points <= alone


def test_a_mistake_that_still_compares_queries_with_keys_keeps_half() -> None:
    """So the bodies above lose their points for what they leave out, and not for how they are written."""
    body = "torch.softmax(q @ k.mT, -1) @ v"
    for step in ("SelfAttention_v1", "SelfAttention_v2"):
        check, points = earned(step, body)
        assert points == check.points / 2 + 0.5  # the parameters stand alone
