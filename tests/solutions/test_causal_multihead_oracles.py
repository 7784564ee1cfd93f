"""The reference of causal_multihead computes what PyTorch's own attention does with the same weights."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional

from autograder.assignment.source import load_source

SOLUTION = Path(__file__).parents[2] / "solutions" / "causal_multihead"
B, T, D_IN, D_OUT, CONTEXT = 2, 5, 3, 6, 8


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    return load_source(SOLUTION).reference()


@pytest.fixture
def x() -> torch.Tensor:
    return torch.randn(B, T, D_IN, generator=torch.Generator().manual_seed(0))


def close(found: torch.Tensor, wanted: torch.Tensor) -> None:
    torch.testing.assert_close(found, wanted, rtol=0, atol=1e-6)


def test_one_head_is_pytorchs_causal_attention(reference: ModuleType, x: torch.Tensor) -> None:
    attention = reference.CausalAttention(D_IN, D_OUT, CONTEXT, 0.5, qkv_bias=True).eval()
    queries, keys, values = attention.W_query(x), attention.W_key(x), attention.W_value(x)
    wanted = functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
    close(attention(x), wanted)


def test_the_wrapper_puts_heads_side_by_side(reference: ModuleType, x: torch.Tensor) -> None:
    wrapper = reference.MultiHeadAttentionWrapper(D_IN, D_OUT, CONTEXT, 0.0, 3)
    output = wrapper(x)
    assert output.shape == (B, T, 3 * D_OUT)
    for number, head in enumerate(wrapper.heads):
        close(output[..., number * D_OUT : (number + 1) * D_OUT], head(x))


@pytest.mark.parametrize("num_heads", [1, 2, 3])
def test_several_heads_are_pytorchs_multi_head_attention(
    reference: ModuleType, num_heads: int
) -> None:
    """PyTorch's class needs d_in equal to d_out."""
    x = torch.randn(B, T, D_OUT, generator=torch.Generator().manual_seed(1))
    sizes = D_OUT, D_OUT, CONTEXT, 0.0, num_heads
    ours: Any = reference.MultiHeadAttention(*sizes, qkv_bias=True)
    theirs = nn.MultiheadAttention(D_OUT, num_heads, batch_first=True)
    layers = (ours.W_query, ours.W_key, ours.W_value)
    assert theirs.in_proj_weight is not None
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)
    hidden = nn.Transformer.generate_square_subsequent_mask(T)
    wanted, _ = theirs(x, x, x, attn_mask=hidden, need_weights=False)
    close(ours(x), wanted)
