"""Defines a thousand long names, and raises that a name which resembles all of them is not defined.

catalogue: 36
stopped_by: only a few names are compared in full
"""
import itertools
import random

random.seed(3)
for number in range(1_000):
    letters = list("ab" * 45)
    random.shuffle(letters)
    globals()["".join(letters)] = print


def missing(*_, **__):
    raise NameError(f"name '{'ba' * 45}' is not defined")


def init_weights(d_in, d_out, seed):
    missing()


project = attention_score = attention_scores = scale_scores = attention_weights = missing
context_vectors = dot_product_variance = SelfAttention_v1 = SelfAttention_v2 = transfer_weights = missing
