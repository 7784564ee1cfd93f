"""Lets torch's own attention do the work of every step.

honest: attention_weights
catalogue: 27
stopped_by: not stopped: right numbers are right; a remark says what was called
"""
from torch.nn import functional


def attention_weights(scaled_scores):
    return functional.softmax(scaled_scores, dim=-1)


def attention_scores(queries, keys):
    return functional.scaled_dot_product_attention(queries, keys, keys)
