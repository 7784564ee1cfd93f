# ruff: noqa: N803, N806
"""A right submission in which no step calls another: a mistake put into one step touches only that step."""

import math

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

Array = npt.NDArray[np.float64]


def numpy_project(
    x: Array, w_query: Array, w_key: Array, w_value: Array
) -> tuple[Array, Array, Array]:
    """Turn tokens (T, d_in) into queries, keys and values (T, d)."""
    queries = x @ w_query
    keys = x @ w_key
    values = x @ w_value
    return queries, keys, values


def numpy_scores(queries: Array, keys: Array) -> Array:
    """Compute all scores (Tq, Tk)."""
    return queries @ keys.T


def numpy_softmax(scores: Array) -> Array:
    """Turn each row of (Tq, Tk) into weights that sum to 1."""
    largest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - largest)
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def numpy_self_attention(
    x: Array, w_query: Array, w_key: Array, w_value: Array, scaled: bool = True
) -> Array:
    """Compute the output (T, d) of tokens (T, d_in)."""
    queries = x @ w_query
    keys = x @ w_key
    values = x @ w_value
    scores = queries @ keys.T
    if scaled:
        scores = scores / np.sqrt(keys.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = powers / powers.sum(axis=1, keepdims=True)
    return np.asarray(weights @ values)


def index_words(sentence: str) -> dict[int, str]:
    """Number the words from 0."""
    return dict(enumerate(sentence.split()))


def reverse_dict(mapping: dict[int, str]) -> dict[str, int]:
    """Exchange keys and values."""
    return {word: number for number, word in mapping.items()}


def token_indices(sentence: str, vocabulary: dict[str, int]) -> torch.Tensor:
    """Look up the index of each word: (T,)."""
    return torch.tensor([vocabulary[word] for word in sentence.split()])


def embed(indices: torch.Tensor, embedding: nn.Embedding) -> torch.Tensor:
    """Fetch the row of each index: (T, d_in)."""
    rows: torch.Tensor = embedding(indices)
    return rows


def project(
    X: torch.Tensor, W_Q: torch.Tensor, W_K: torch.Tensor, W_V: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Turn tokens (T, d_in) into queries, keys and values (T, d)."""
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    return Q, K, V


def scaled_scores(Q: torch.Tensor, K: torch.Tensor) -> torch.Tensor:
    """Compute all scores (Tq, Tk), divided by the square root of d."""
    return Q @ K.T / math.sqrt(K.shape[-1])


def attention_weights(scaled_scores: torch.Tensor) -> torch.Tensor:
    """Turn each row of (Tq, Tk) into weights that sum to 1."""
    return torch.softmax(scaled_scores, dim=-1)


def attention_output(weights: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """Mix the values (Tk, d) by weights (Tq, Tk)."""
    return weights @ V
