# ruff: noqa: F821 - what is called here and not defined stands in causal_multihead.py
"""The three classes again, in more functions: known mistakes stand in for one of them.

Run in the namespace of causal_multihead.py, so that the steps are its own. A test proves that these classes do the
same.
"""

import torch
from torch import nn


def project(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x @ W_value


def biased(part, bias):
    return part if bias is None else part + bias


def projected(queries, keys, values):
    return queries, keys, values


def compared(queries, x):
    """The queries, as the scores are made of them."""
    return queries


def compared_in_heads(queries, d_out):
    """The same in each of several heads."""
    return queries


def registered(module, mask):
    module.register_buffer("mask", mask)


def with_dropout(module, part):
    """What the weights become by dropout."""
    return module.dropout(part)


def without_dropout(module, part, name):
    """What dropout is not for: the tokens, the values, the output."""
    return part


def vectors_of_the_heads(module, context):
    """Dropout is not for these either."""
    return context


def bias_of(qkv_bias):
    return qkv_bias


def rate(dropout):
    return dropout


def returned(context, weights, x, queries, keys, values):
    return context


def mixed(module, context):
    return module.out_proj(context)


def created(module):
    """What else happens at the end of __init__."""


def refuse_unequal_heads(d_out, num_heads):
    if d_out % num_heads:
        raise ValueError(f"{num_heads} heads cannot share a width of {d_out}")


def made(module, d_in, d_out, context_length, dropout, qkv_bias):
    bias = bias_of(qkv_bias)
    module.W_query = nn.Linear(d_in, d_out, bias=bias)
    module.W_key = nn.Linear(d_in, d_out, bias=bias)
    module.W_value = nn.Linear(d_in, d_out, bias=bias)
    module.dropout = nn.Dropout(rate(dropout))
    registered(module, causal_mask(context_length))


def three(module, x):
    layers = (module.W_query, module.W_key, module.W_value)
    x = without_dropout(module, x, "x")
    parts = project(x, *(layer.weight.T for layer in layers))
    return projected(*map(biased, parts, (layer.bias for layer in layers)))


def weighed(module, x, queries, keys):
    length = x.shape[1]
    return causal_weights(compared(queries, x), keys, module.mask[:length, :length])


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        made(self, d_in, d_out, context_length, dropout, qkv_bias)
        created(self)

    def forward(self, x):
        queries, keys, values = three(self, x)
        weights = with_dropout(self, weighed(self, x, queries, keys))
        context = weights @ without_dropout(self, values, "values")
        context = without_dropout(self, context, "output")
        return returned(context, weights, x, queries, keys, values)


def joined(outputs):
    return torch.cat(outputs, dim=-1)


def made_heads(make, num_heads):
    return nn.ModuleList([make() for _ in range(num_heads)])


def passed_on(dropout, qkv_bias):
    return dropout, qkv_bias


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        options = passed_on(dropout, qkv_bias)
        self.heads = made_heads(
            lambda: CausalAttention(d_in, d_out, context_length, *options), num_heads
        )

    def forward(self, x):
        return joined([head(x) for head in self.heads])


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        refuse_unequal_heads(d_out, num_heads)
        self.num_heads = num_heads
        made(self, d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        created(self)

    def forward(self, x):
        queries, keys, values = (split_heads(part, self.num_heads) for part in three(self, x))
        queries = compared_in_heads(queries, self.W_query.out_features)
        weights = with_dropout(self, weighed(self, x, queries, keys))
        context = weights @ without_dropout(self, values, "values")
        context = vectors_of_the_heads(self, merge_heads(context))
        output = without_dropout(self, mixed(self, context), "output")
        return returned(output, weights, x, queries, keys, values)
