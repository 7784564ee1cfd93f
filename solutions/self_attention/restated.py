# ruff: noqa: F821 - what is called here and not defined stands in self_attention.py
"""The two classes again, in more functions: known mistakes stand in for one of them.

Run in the namespace of self_attention.py, so that the steps are its own. A test proves that these classes do the same.
"""

import torch
from torch import nn


def width_to_scale_by(x, keys):
    return keys.shape[-1]


def projected(queries, keys, values):
    return queries, keys, values


def after_the_softmax(weights, d_k):
    return weights


def returned(context, weights, x, queries, keys, values):
    return context


def created(module):
    """What else happens at the end of __init__."""


def biased(part, bias):
    return part if bias is None else part + bias


def attended(x, queries, keys, values):
    queries, keys, values = projected(queries, keys, values)
    d_k = width_to_scale_by(x, keys)
    scaled_scores = scale_scores(attention_scores(queries, keys), d_k)
    weights = after_the_softmax(attention_weights(scaled_scores), d_k)
    return returned(context_vectors(weights, values), weights, x, queries, keys, values)


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        created(self)

    def forward(self, x):
        return attended(x, *project(x, self.W_query, self.W_key, self.W_value))


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        created(self)

    def forward(self, x):
        layers = (self.W_query, self.W_key, self.W_value)
        three = project(x, *(layer.weight.T for layer in layers))
        biases = (layer.bias for layer in layers)
        return attended(x, *map(biased, three, biases))
