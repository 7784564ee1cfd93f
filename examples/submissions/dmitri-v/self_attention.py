"""Self-attention with trainable weights.

Replace each `raise NotImplementedError()` by your own code, then run `pytest` in this folder.
The open question is in self_attention.ipynb. Write your answer there, or in a text file question-1.md
that you hand in with this file.
"""

if __name__ == "__main__":
    print("This file checks nothing by itself. To check your steps, open a terminal in its folder and run")
    print("    python -m pytest")


# %%
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


# %%
def init_weights(
    d_in: int, d_out: int, seed: int
) -> tuple[nn.Parameter, nn.Parameter, nn.Parameter]:
    """Draw the three weight matrices for queries, keys and values.

    Seed PyTorch once, then draw the matrices with torch.rand in the order query, key, value.

    Args:
        d_in: width of a token embedding.
        d_out: width of a query, key and value.
        seed: the seed, set one time before the first draw.
    Returns:
        (W_query, W_key, W_value), each a frozen nn.Parameter (requires_grad is False) of shape
        (d_in, d_out), float32.
    Source: "Implementing Self-attention with trainable weights"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def project(
    x: torch.Tensor, W_query: torch.Tensor, W_key: torch.Tensor, W_value: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Turn token embeddings into queries, keys and values.

    Args:
        x: token embeddings, one per row, shape (T, d_in).
        W_query: shape (d_in, d_out).
        W_key: shape (d_in, d_out).
        W_value: shape (d_in, d_out).
    Returns:
        (queries, keys, values), each of shape (T, d_out).
    Source: "Implementing Self-attention with trainable weights"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def attention_score(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    """Compute the attention score of one query against one key.

    Args:
        query: the vector of the token that asks, shape (d_k,).
        key: the vector of the token that is asked, shape (d_k,).
    Returns:
        The unscaled score: a scalar, a tensor of shape ().
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def attention_scores(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """Compute the unscaled attention score of every query against every key.

    Args:
        queries: one per row, shape (Tq, d_k).
        keys: one per row, shape (Tk, d_k).
    Returns:
        Scores of shape (Tq, Tk): entry (i, j) is the dot product of query i and key j.
    Source: "Implementing Self-attention with trainable weights"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def scale_scores(scores: torch.Tensor, d_k: int) -> torch.Tensor:
    """Divide attention scores by the square root of the width of the keys.

    Args:
        scores: unscaled attention scores, shape (Tq, Tk).
        d_k: width of a key, the number of entries in it.
    Returns:
        The scaled scores, same shape as `scores`; `scores` itself stays as it was.
    Source: "Lecture 15: Self-Attention with trainable weights"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def attention_weights(scaled_scores: torch.Tensor) -> torch.Tensor:
    """Turn scaled attention scores into attention weights with the softmax.

    The softmax runs along each row, over the keys, so that one query's weights sum to 1.

    Args:
        scaled_scores: shape (Tq, Tk).
    Returns:
        Attention weights of shape (Tq, Tk), none negative, each row summing to 1.
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def context_vectors(weights: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Blend the values by the attention weights.

    Args:
        weights: attention weights, one row per query, shape (Tq, Tk).
        values: one row per key, shape (Tk, d_v).
    Returns:
        Context vectors of shape (Tq, d_v): row i is the sum of all value rows, each multiplied
        by its weight in row i.
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
# Five scores for an experiment with the softmax
peaky_input = torch.tensor([0.1, -0.2, 0.3, -0.2, 0.5])


# %%
def dot_product_variance(
    queries: torch.Tensor, keys: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Measure the variance of dot products before and after scaling.

    Row i of `queries` meets row i of `keys` only. Scaling means dividing by the square root of d.

    Args:
        queries: random vectors, shape (trials, d).
        keys: random vectors, shape (trials, d).
    Returns:
        (before, after), two scalars: the population variance (divided by the number of trials)
        of the unscaled and of the scaled dot products.
    Source: "Implementing Self-attention with trainable weights"
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
class SelfAttention_v1(nn.Module):
    """Compute self-attention with weight matrices held in nn.Parameter.

    Args:
        d_in: width of a token embedding.
        d_out: width of a query, key and value, and of a context vector.
    Attributes:
        W_query, W_key, W_value: trainable Parameters of shape (d_in, d_out), drawn with
            torch.rand in this order; no seed is set here.
    Calling it with x of shape (T, d_in) returns the context vectors, shape (T, d_out).
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """

    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        # YOUR CODE HERE
        raise NotImplementedError()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # YOUR CODE HERE
        raise NotImplementedError()


# %%
class SelfAttention_v2(nn.Module):
    """Compute self-attention with weight matrices held in nn.Linear layers.

    Args:
        d_in: width of a token embedding.
        d_out: width of a query, key and value, and of a context vector.
        qkv_bias: whether each of the three layers adds a bias of shape (d_out,).
    Attributes:
        W_query, W_key, W_value: nn.Linear layers from d_in to d_out, created in this order.
    Calling it with x of shape (T, d_in) returns the context vectors, shape (T, d_out).
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """

    def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False) -> None:
        super().__init__()
        # YOUR CODE HERE
        raise NotImplementedError()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # YOUR CODE HERE
        raise NotImplementedError()


# %%
def transfer_weights(sa_v2: nn.Module, sa_v1: nn.Module) -> None:
    """Give sa_v1 the weights of sa_v2, so that both return the same output (Exercise 3.1).

    Args:
        sa_v2: the source, with nn.Linear layers W_query, W_key and W_value without a bias; each
            holds its weight as (d_out, d_in). It is left unchanged.
        sa_v1: the target, with Parameters W_query, W_key and W_value of shape (d_in, d_out). It
            is changed in place, and its matrices stay trainable Parameters.
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """
    # YOUR CODE HERE
    raise NotImplementedError()
