"""Scaled dot-product attention, one function at a time.

Replace each `raise NotImplementedError()` by your own code, then run `pytest` in this folder.
The open question is in scaled_dot_product.ipynb. Write your answer there, or in a text file question-1.md
that you hand in with this file.
"""

if __name__ == "__main__":
    print("This file checks nothing by itself. To check your steps, open a terminal in its folder and run")
    print("    python -m pytest")


# %%
import math

import torch
from torch import nn


# %%
d_model = 8
max_sequence_length = 10
seed = 42


# %%
def make_projections(d_model: int) -> tuple[nn.Linear, nn.Linear, nn.Linear]:
    """Create the three linear layers that turn tokens into queries, keys and values.

    Create them one after the other, in the order query, key, value. Do not set a seed in here.

    Args:
        d_model: width of a token; each layer keeps this width.
    Returns:
        (w_query, w_key, w_value): three separate nn.Linear layers, float32, each with a weight of
        shape (d_model, d_model) and a bias of shape (d_model,).

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def make_tokens(max_sequence_length: int, d_model: int, scale: float = 10.0) -> torch.Tensor:
    """Draw a sequence of random tokens from a normal distribution with mean 0.

    Use the random generator in its present state: no seed is set in here.

    Args:
        max_sequence_length: number of tokens T, the rows.
        d_model: width of a token, the columns.
        scale: standard deviation of every entry; 10.0 makes large tokens.
    Returns:
        tokens, shape (T, d_model), float32.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def project(
    tokens: torch.Tensor, w_query: nn.Linear, w_key: nn.Linear, w_value: nn.Linear
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Turn tokens into queries, keys and values.

    Args:
        tokens: shape (T, d_model), float32.
        w_query: the linear layer (with bias) for queries.
        w_key: the linear layer (with bias) for keys.
        w_value: the linear layer (with bias) for values.
    Returns:
        (q, k, v): queries, keys and values, each of shape (T, d_k); here d_k = d_model.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def raw_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Score every query against every key by their dot product, unscaled.

    Args:
        q: queries, shape (Tq, d_k).
        k: keys, shape (Tk, d_k); in self-attention Tk = Tq = T.
    Returns:
        raw scores, shape (Tq, Tk): row i belongs to query i, column j to key j.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def scaled_scores(q: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    """Score every query against every key and scale the scores for the width of the keys.

    The scale is the square root of d_k, whatever d_k is.

    Args:
        q: queries, shape (Tq, d_k).
        k: keys, shape (Tk, d_k).
    Returns:
        scaled scores, shape (Tq, Tk): row i belongs to query i, column j to key j.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def score_variances(q: torch.Tensor, k: torch.Tensor) -> dict[str, torch.Tensor]:
    """Measure how widely queries, keys and their scores are spread.

    Each variance is unbiased and taken over all entries of its tensor at once.

    Args:
        q: queries, shape (Tq, d_k).
        k: keys, shape (Tk, d_k).
    Returns:
        a dict with the keys "q", "k", "raw_scores" and "scaled_scores"; each value is one real
        number, a float or a tensor without axes.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def attention_weights(scores: torch.Tensor) -> torch.Tensor:
    """Turn scores into attention weights with softmax, one distribution for each query.

    Args:
        scores: scaled scores, shape (Tq, Tk): row i belongs to query i.
    Returns:
        weights, shape (Tq, Tk): no entry is negative, and every row sums to 1.
    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def attention_output(weights: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Mix the values by the attention weights: one weighted sum of values for each query.

    Args:
        weights: attention weights, shape (Tq, Tk); every row sums to 1.
        v: values, shape (Tk, d_v); row j belongs to key j.
    Returns:
        output, shape (Tq, d_v): row i belongs to query i.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Compute scaled dot-product attention from queries, keys and values.

    Args:
        q: queries, shape (Tq, d_k).
        k: keys, shape (Tk, d_k).
        v: values, shape (Tk, d_v).
    Returns:
        (output, weights): the output of shape (Tq, d_v), and the attention weights of shape
        (Tq, Tk) that it was mixed with.

    Source: "Demonstrating Scaled Dot-Product Attention & Self-Attention in Transformers"
    """
    # YOUR CODE HERE
    raise NotImplementedError()
