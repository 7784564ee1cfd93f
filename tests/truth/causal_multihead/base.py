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
batch = torch.stack([inputs, inputs.flip(0)])


def causal_mask(length: int) -> torch.Tensor:
    """Return where a key comes after the query, (length, length)."""
    return torch.triu(torch.ones(length, length), diagonal=1).bool()


def causal_weights(queries: torch.Tensor, keys: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Turn queries and keys (..., T, d_k) into weights (..., T, T)."""
    scores = queries @ keys.transpose(-2, -1)
    hidden = scores.masked_fill(mask, -torch.inf)
    return torch.softmax(hidden / math.sqrt(keys.shape[-1]), dim=-1)


class CausalAttention(nn.Module):
    """Causal attention with one head."""

    mask: torch.Tensor

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        later = torch.triu(torch.ones(context_length, context_length), diagonal=1)
        self.register_buffer("mask", later)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the context vectors (B, T, d_out) of tokens (B, T, d_in)."""
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        length = x.shape[1]
        scores = queries @ keys.transpose(1, 2)
        scores = scores.masked_fill(self.mask.bool()[:length, :length], -torch.inf)
        weights = torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1)
        return self.dropout(weights) @ values


class Head(CausalAttention):
    """A head of the wrapper, which stays right where CausalAttention is replaced."""


class MultiHeadAttentionWrapper(nn.Module):
    """Several heads side by side."""

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
        self.heads = nn.ModuleList(
            [Head(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the context vectors of all heads, (B, T, num_heads * d_out)."""
        return torch.cat([head(x) for head in self.heads], dim=-1)


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Turn (B, T, d) into (B, num_heads, T, d / num_heads)."""
    batch_size, length, width = x.shape
    return x.view(batch_size, length, num_heads, width // num_heads).transpose(1, 2)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Turn (B, H, T, w) into (B, T, H * w)."""
    batch_size, num_heads, length, width = x.shape
    return x.transpose(1, 2).contiguous().view(batch_size, length, num_heads * width)


class MultiHeadAttention(nn.Module):
    """Causal attention with several heads in shared layers."""

    mask: torch.Tensor

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
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.d_out, self.num_heads, self.width = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        later = torch.triu(torch.ones(context_length, context_length), diagonal=1)
        self.register_buffer("mask", later)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the output (B, T, d_out) of tokens (B, T, d_in)."""
        size, length, _ = x.shape
        shape = (size, length, self.num_heads, self.width)
        keys = self.W_key(x).view(shape).transpose(1, 2)
        queries = self.W_query(x).view(shape).transpose(1, 2)
        values = self.W_value(x).view(shape).transpose(1, 2)
        scores = queries @ keys.transpose(2, 3)
        scores.masked_fill_(self.mask.bool()[:length, :length], -torch.inf)
        weights = self.dropout(torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1))
        context = (weights @ values).transpose(1, 2).contiguous().view(size, length, self.d_out)
        return self.out_proj(context)
