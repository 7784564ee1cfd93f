"""A step that fails because of another one says so in few words, and quotes no line twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from autograder.exam.expected_json import load_release
from autograder.reports.pytest_text import full_text
from tests.graders import check_step, open_session
from tests.truth.variant import base_of

ROOT = Path(__file__).parents[2]
MOST_CHARACTERS = 600

UNSCALED = """
def causal_weights(queries, keys, mask):
    scores = queries @ keys
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)
"""
HEADS = """
class Heads(MultiHeadAttention):
    def forward(self, x):
        size = x.shape[1]
        q, k, v = (split_heads(one(x), 2) for one in (self.W_query, self.W_key, self.W_value))
        weights = causal_weights(q, k, self.mask[:size, :size])
        return self.out_proj(merge_heads(self.dropout(weights) @ v))

MultiHeadAttention = Heads
"""
CAUSAL = """
class CausalAttention(CausalAttention):
    def forward(self, x):
        size = x.shape[1]
        weights = causal_weights(self.W_query(x), self.W_key(x), self.mask[:size, :size])
        return self.dropout(weights) @ self.W_value(x)
"""
WRAPPER = """
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        heads = [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)
"""
TWO_PARTS = """
def project(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key

class SelfAttention_v1(SelfAttention_v1):
    def forward(self, x):
        queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
        return context_vectors(attention_weights(queries @ keys.T / keys.shape[-1] ** 0.5), values)
"""
COLUMNS = """
def numpy_softmax(scores):
    exps = np.exp(scores)
    return exps / exps.sum(axis=0)

def numpy_self_attention(x, w_query, w_key, w_value, scaled=True):
    q, k, v = numpy_project(x, w_query, w_key, w_value)
    s = numpy_scores(q, k)
    if scaled:
        s = s / k.shape[-1]
    return numpy_softmax(s) @ v
"""
ADDED = """
def raw_scores(q, k):
    return q @ k.transpose(-2, -1) + 1

def scaled_scores(q, k):
    return raw_scores(q, k) / q.shape[-1] ** 0.5
"""


@pytest.mark.parametrize(
    ("assignment", "step", "source", "first"),
    [
        ("causal_multihead", "CausalAttention", UNSCALED + CAUSAL, "causal_weights"),
        (
            "causal_multihead",
            "MultiHeadAttentionWrapper",
            UNSCALED + CAUSAL + WRAPPER,
            "causal_weights",
        ),
        ("causal_multihead", "MultiHeadAttention", UNSCALED + HEADS, "causal_weights"),
        ("self_attention", "SelfAttention_v1", TWO_PARTS, "project"),
        ("numpy_attention", "numpy_self_attention", COLUMNS, "numpy_softmax"),
        ("scaled_dot_product", "scaled_scores", ADDED, "raw_scores"),
    ],
)
def test_a_step_that_fails_with_another_one_says_it_in_few_words(
    assignment: str, step: str, source: str, first: str
) -> None:
    exam = load_release(ROOT / "assignments" / assignment)
    text = full_text(check_step(exam, open_session(exam, base_of(assignment) + source), step))
    words = " ".join(text.split())
    assert f"your `{first}`" in words
    assert "fix that first" in words
    assert len(text) <= MOST_CHARACTERS
    assert "Inputs of" not in text
    assert "Expected:" not in text
    lines = Counter(line.strip() for line in text.splitlines() if line.startswith("     "))
    assert [line for line, count in lines.items() if count > 1] == []
