"""A slip of scaling costs the same in every step that is built from it, in all four assignments."""

from __future__ import annotations

import pytest

from tests.exams import exam_of
from tests.graders import points_of
from tests.grading.test_stand_ins import source

# What stands in place of `scores / d_k**0.5`. `wide` is the width of a token, `whole` that of all heads together.
SLIPS = {
    "not at all": "scores",
    "root of d_in": "scores / wide**0.5",
    "root of the number of keys": "scores / scores.shape[-1] ** 0.5",
    "root of the number of queries": "scores / scores.shape[-2] ** 0.5",
    "root of the width of all heads": "scores / whole**0.5",
    "width without a root": "scores / d_k",
    "half of the width": "scores / (d_k / 2)",
    "twice the width": "scores / (2 * d_k)",
    "root of 2": "scores / 2**0.5",
    "square of the width": "scores / d_k**2",
    "multiplied by the root": "scores * d_k**0.5",
    "multiplied by the width": "scores * d_k",
    "root of the root": "scores / d_k**0.25",
    "upside down": "d_k**0.5 / scores",
    "after the softmax": "scores",
    "before and after the softmax": "scores / d_k**0.5",
}
AFTER = {"after the softmax", "before and after the softmax"}

WEIGHED = """
import torch

def weighed(q, k, hidden=None, wide=None, whole=None):
    scores, d_k = q @ k.mT, k.shape[-1]
    scores = {slip}
    if hidden is not None:
        scores = scores.masked_fill(hidden[: q.shape[-2], : q.shape[-2]], -torch.inf)
    return torch.softmax(scores, -1) / {after}

"""
CLASS = "class {name}({name}):\n    def forward(self, x):\n        return {result}\n"
LAYERS = "self.W_query(x), self.W_key(x)"
# Each step built from one that scales: its assignment, its code, and the points that it keeps for a slip.
STEPS = {
    "SelfAttention_v1": (
        "self_attention",
        "weighed(x @ self.W_query, x @ self.W_key, wide=x.shape[-1]) @ (x @ self.W_value)",
        2.5,
    ),
    "SelfAttention_v2": (
        "self_attention",
        f"weighed({LAYERS}, wide=x.shape[-1]) @ self.W_value(x)",
        2.5,
    ),
    "CausalAttention": (
        "causal_multihead",
        f"self.dropout(weighed({LAYERS}, self.mask, x.shape[-1])) @ self.W_value(x)",
        2.25,
    ),
    "MultiHeadAttentionWrapper": (
        "causal_multihead",
        "torch.cat([of_head(self, head, x) for head in self.heads], -1)",
        1.25,
    ),
    "MultiHeadAttention": ("causal_multihead", "of_heads(self, x)", 3.5),
}
HEADS = """
def of_head(self, head, x):
    weights = weighed(head.W_query(x), head.W_key(x), head.mask, x.shape[-1])
    return head.dropout(weights) @ head.W_value(x)

def of_heads(self, x):
    layers = self.W_query, self.W_key, self.W_value
    q, k, v = (split_heads(layer(x), self.num_heads) for layer in layers)
    weights = weighed(q, k, self.mask, x.shape[-1], self.W_key.out_features)
    return self.out_proj(merge_heads(self.dropout(weights) @ v))

"""
FUNCTIONS = {
    "scaled_dot_product_attention": (
        "scaled_dot_product",
        """
def scaled_dot_product_attention(q, k, v):
    return weighed(q, k) @ v, weighed(q, k)
""",
        1.5,
    ),
    # Nothing is kept: scaling is this step's own task, as no step before it scales.
    "numpy_self_attention": (
        "numpy_attention",
        """
def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    x, *matrices = map(torch.from_numpy, (x, w_query, w_key, w_value))
    q, k, v = (x @ matrix for matrix in matrices)
    weights = weighed(q, k, wide=x.shape[-1]) if scaled else torch.softmax(q @ k.T, -1)
    return (weights @ v).numpy()
""",
        0,
    ),
}
CODE = {
    name: (assignment, CLASS.format(name=name, result=result), kept)
    for name, (assignment, result, kept) in STEPS.items()
} | FUNCTIONS
# Slips that a step has no other width for.
NOWHERE = {
    (step, "root of the width of all heads") for step in CODE if step != "MultiHeadAttention"
} | {("scaled_dot_product_attention", "root of d_in")}


def kept(step: str, slip: str) -> tuple[float, float]:
    """Return the points of a step that makes a slip in its own lines, and those that are wanted."""
    assignment, code, wanted = CODE[step]
    weighed = WEIGHED.format(slip=SLIPS[slip], after="d_k**0.5" if slip in AFTER else 1)
    text = source(assignment, weighed + HEADS + code)
    return points_of(exam_of(assignment), text, step)[step], wanted


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("step", CODE)
def test_a_slip_of_scaling_costs_half_wherever_it_is_made(step: str, slip: str) -> None:
    if (step, slip) not in NOWHERE:
        points, wanted = kept(step, slip)
        assert points == wanted
