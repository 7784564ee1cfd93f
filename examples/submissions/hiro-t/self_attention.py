"""Self-attention with trainable weights.

Replace each `raise NotImplementedError()` by your own code, then run `pytest` in this folder.
"""


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
    torch.manual_seed(seed)
    W_query = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_key = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    W_value = nn.Parameter(torch.rand(d_in, d_out), requires_grad=False)
    return W_query, W_key, W_value


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
    return x @ W_query, x @ W_key, x @ W_value


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
    return query @ key


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
    return queries @ keys.T


# %%
def scale_scores(scores: torch.Tensor, d_k: int) -> torch.Tensor:
    """Divide attention scores by the square root of the width of the keys.

    Args:
        scores: unscaled attention scores of any shape, such as (Tq, Tk).
        d_k: width of a key, the number of entries in it.
    Returns:
        The scaled scores, same shape as `scores`; `scores` itself stays as it was.
    Source: "Lecture 15: Self-Attention with trainable weights"
    """
    return scores / d_k**0.5


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
    return torch.softmax(scaled_scores, dim=-1)


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
    return weights @ values


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
    trials, d = queries.shape
    dots = torch.zeros(trials)
    # go through the trials one after the other
    i = 0
    while i < trials:
        dots[i] = attention_score(queries[i], keys[i])
        if i < trials - 1:  # do not run over the end
            i += 1
    scaled = scale_scores(dots, d)
    return dots.var(correction=0), scaled.var(correction=0)


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
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
        scaled = scale_scores(attention_scores(queries, keys), keys.shape[-1])
        return context_vectors(attention_weights(scaled), values)


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
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scaled = scale_scores(attention_scores(queries, keys), keys.shape[-1])
        return context_vectors(attention_weights(scaled), values)


# %%
def transfer_weights(sa_v2: nn.Module, sa_v1: nn.Module) -> None:
    """Give sa_v1 the weights of sa_v2, so that both return the same output (Exercise 3.1).

    Args:
        sa_v2: the source, with nn.Linear layers W_query, W_key and W_value without a bias; each
            holds its weight as (d_out, d_in). It is left unchanged.
        sa_v1: the target, with Parameters W_query, W_key and W_value of shape (d_in, d_out). It
            is changed in place, and its matrices stay trainable Parameters.
    Returns:
        Nothing.
    Source: "3.4 Implementing Self-Attention with Trainable Weights"
    """
    sa_v1.W_query.data = sa_v2.W_query.weight.data.T.clone()
    sa_v1.W_key.data = sa_v2.W_key.weight.data.T.clone()
    sa_v1.W_value.data = sa_v2.W_value.weight.data.T.clone()
