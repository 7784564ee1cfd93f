"""Causal attention and several heads.

Replace each `raise NotImplementedError()` by your own code, then run `pytest` in this folder.
The open question is in causal_multihead.ipynb. Write your answer there, or in a text file question-1.md
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
batch = torch.stack([inputs, inputs.flip(0)])


# %%
def causal_mask(length: int) -> torch.Tensor:
    """Say which keys each query must not see.

    Args:
        length: the number of tokens.
    Returns:
        A tensor of bool, shape (length, length): entry (i, j) is True where key j comes after
        query i. A token sees itself.
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def causal_weights(queries: torch.Tensor, keys: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Compute the attention weights of queries that do not see the keys behind the mask.

    The dots stand for any number of leading axes: (B, T, d_k) for sequences, (B, num_heads, T, d_k)
    for sequences with heads.

    Args:
        queries: shape (..., T, d_k).
        keys: shape (..., T, d_k).
        mask: bool, shape (T, T). It hides the scores where it is True, whatever mask it is: that of
            causal_mask, or another one.
    Returns:
        Attention weights of shape (..., T, T): softmax of the scores, which are divided by the
        square root of d_k. Hidden keys have the weight 0, and each row sums to 1.
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
class CausalAttention(nn.Module):
    """Compute self-attention in which no token sees a later one, for a batch.

    Args:
        d_in: width of a token embedding.
        d_out: width of a query, key and value, and of a context vector.
        context_length: the largest number of tokens in a sentence.
        dropout: the probability with which an attention weight is dropped in training.
        qkv_bias: whether each of the three layers adds a bias of shape (d_out,).
    Attributes:
        W_query, W_key, W_value: nn.Linear layers from d_in to d_out.
        dropout: nn.Dropout, used on the attention weights.
        mask: a buffer, in the state_dict, that hides later keys from each of context_length
            queries. It is made in __init__, and forward uses it.
    Calling it with x of shape (B, T, d_in), where T is at most context_length, returns the
    context vectors, shape (B, T, d_out).
    """

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        # YOUR CODE HERE
        raise NotImplementedError()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # YOUR CODE HERE
        raise NotImplementedError()


# %%
class MultiHeadAttentionWrapper(nn.Module):
    """Run several CausalAttention heads and put their context vectors side by side.

    Args:
        d_in: width of a token embedding.
        d_out: width of the context vectors of one head.
        context_length: the largest number of tokens in a sentence.
        dropout: the probability with which an attention weight is dropped in training.
        num_heads: the number of heads.
        qkv_bias: whether the layers of each head add a bias.
    Attributes:
        heads: nn.ModuleList of num_heads CausalAttention modules.
    Calling it with x of shape (B, T, d_in) returns shape (B, T, num_heads * d_out): the context
    vectors of the first head, then those of the second, and so on.
    """

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        # YOUR CODE HERE
        raise NotImplementedError()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # YOUR CODE HERE
        raise NotImplementedError()


# %%
def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Cut the last axis into heads, and move the heads in front of the tokens.

    Args:
        x: shape (B, T, d), where num_heads divides d.
        num_heads: the number of heads.
    Returns:
        Shape (B, num_heads, T, d / num_heads): head h has the numbers from h * d / num_heads on
        of each token.
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Put the heads side by side again: the inverse of split_heads.

    Args:
        x: shape (B, H, T, w), the context vectors of H heads.
    Returns:
        Shape (B, T, H * w): for each token the vectors of all heads, one behind the other.
    """
    # YOUR CODE HERE
    raise NotImplementedError()


# %%
class MultiHeadAttention(nn.Module):
    """Compute causal attention with several heads that share three layers, for a batch.

    Args:
        d_in: width of a token embedding.
        d_out: width of the result, and of the queries, keys and values of all heads together.
        context_length: the largest number of tokens in a sentence.
        dropout: the probability with which an attention weight is dropped in training.
        num_heads: the number of heads; it divides d_out.
        qkv_bias: whether each of the three layers adds a bias of shape (d_out,).
    Raises:
        ValueError: d_out is not divisible by num_heads.
    Attributes:
        W_query, W_key, W_value: nn.Linear layers from d_in to d_out.
        out_proj: nn.Linear layer from d_out to d_out, with a bias.
        dropout: nn.Dropout, used on the attention weights.
        mask: a buffer, in the state_dict, that hides later keys from each of context_length
            queries. It is made in __init__, and forward uses it.
    Calling it with x of shape (B, T, d_in), where T is at most context_length, returns shape
    (B, T, d_out).
    """

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        # YOUR CODE HERE
        raise NotImplementedError()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # YOUR CODE HERE
        raise NotImplementedError()
