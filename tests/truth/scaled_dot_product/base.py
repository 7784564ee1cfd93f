"""A right submission in which no step calls another: a mistake put into one step touches only that step."""

import math

import torch
from torch import nn

d_model = 8
max_sequence_length = 10
seed = 42


def make_projections(d_model: int) -> tuple[nn.Linear, nn.Linear, nn.Linear]:
    """Create three layers of width d_model: query, key, value."""
    w_query = nn.Linear(d_model, d_model)
    w_key = nn.Linear(d_model, d_model)
    w_value = nn.Linear(d_model, d_model)
    return w_query, w_key, w_value


def make_tokens(max_sequence_length: int, d_model: int, scale: float = 10.0) -> torch.Tensor:
    """Draw tokens (T, d_model) with standard deviation scale."""
    return torch.randn(max_sequence_length, d_model) * scale


def project(
    tokens: torch.Tensor, w_query: nn.Linear, w_key: nn.Linear, w_value: nn.Linear
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Turn tokens (T, d_model) into queries, keys and values (T, d_k)."""
    q = w_query(tokens)
    k = w_key(tokens)
    v = w_value(tokens)
    return q, k, v


def raw_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Compute all dot products (Tq, Tk)."""
    return q @ k.T


def scaled_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Compute all dot products (Tq, Tk), divided by the square root of d_k."""
    return q @ k.T / math.sqrt(k.shape[-1])


def score_variances(q: torch.Tensor, k: torch.Tensor) -> dict[str, torch.Tensor]:
    """Measure the unbiased variances, each over all entries."""
    scores = q @ k.T
    return {
        "q": q.var(),
        "k": k.var(),
        "raw_scores": scores.var(),
        "scaled_scores": (scores / math.sqrt(k.shape[-1])).var(),
    }


def attention_weights(scores: torch.Tensor) -> torch.Tensor:
    """Turn each row of (Tq, Tk) into weights that sum to 1."""
    return torch.softmax(scores, dim=-1)


def attention_output(weights: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Mix values (Tk, d_v) by weights (Tq, Tk)."""
    return weights @ v


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute the output (Tq, d_v) and the weights (Tq, Tk)."""
    weights = torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights
