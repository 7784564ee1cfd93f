# ruff: noqa: N801, N803, N806
# mypy: disable-error-code="misc"
"""A right submission. No step calls another: a mistake put into one touches only that one."""

import math

import torch
from torch import nn

inputs = torch.tensor(
    [
        [0.43, 0.15, 0.89],  # Your
        [0.55, 0.87, 0.66],  # journey
        [0.57, 0.85, 0.64],  # starts
        [0.22, 0.58, 0.33],  # with
        [0.77, 0.25, 0.10],  # one
        [0.05, 0.80, 0.55],  # step
    ]
)


def init_weights(
    d_in: int, d_out: int, seed: int
) -> tuple[nn.Parameter, nn.Parameter, nn.Parameter]:
    """Draw three frozen matrices of shape (d_in, d_out): query, key, value."""
    torch.manual_seed(seed)
    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value


def project(
    x: torch.Tensor, W_query: torch.Tensor, W_key: torch.Tensor, W_value: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Turn tokens (T, d_in) into queries, keys and values (T, d_out)."""
    queries = x @ W_query
    keys = x @ W_key
    values = x @ W_value
    return queries, keys, values


def attention_score(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    """Compute the dot product of one query and one key, both (d_k,)."""
    return torch.dot(query, key)


def attention_scores(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """Compute all scores (Tq, Tk)."""
    return queries @ keys.T


def scale_scores(scores: torch.Tensor, d_k: int) -> torch.Tensor:
    """Divide scores of any shape by the square root of d_k."""
    return scores / math.sqrt(d_k)


def attention_weights(scaled_scores: torch.Tensor) -> torch.Tensor:
    """Turn each row of (Tq, Tk) into weights that sum to 1."""
    return torch.softmax(scaled_scores, dim=-1)


def context_vectors(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Blend the values (Tk, d_v) by the weights (Tq, Tk)."""
    return weights @ values


def dot_product_variance(
    queries: torch.Tensor, keys: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Measure the population variance of row-wise dot products, before and after scaling."""
    products = (queries * keys).sum(dim=-1)
    scaled = products / math.sqrt(queries.shape[-1])
    return products.var(correction=0), scaled.var(correction=0)


class SelfAttention_v1(nn.Module):
    """Self-attention with its matrices in nn.Parameter."""

    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the context vectors (T, d_out) of tokens (T, d_in)."""
        queries = x @ self.W_query
        keys = x @ self.W_key
        values = x @ self.W_value
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        return attn_weights @ values


class SelfAttention_v2(nn.Module):
    """Self-attention with its matrices in nn.Linear layers."""

    def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the context vectors (T, d_out) of tokens (T, d_in)."""
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.T
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        return attn_weights @ values


def transfer_weights(sa_v2: nn.Module, sa_v1: nn.Module) -> None:
    """Copy the weights of sa_v2's layers into sa_v1's matrices."""
    with torch.no_grad():
        sa_v1.W_query.copy_(sa_v2.W_query.weight.T)
        sa_v1.W_key.copy_(sa_v2.W_key.weight.T)
        sa_v1.W_value.copy_(sa_v2.W_value.weight.T)
