"""Returns what is small to hold and huge to write down: one number expanded, lists that hold each other, endless things.

catalogue: 36
costly: yes
stopped_by: what is too large is refused before it is copied
"""
import itertools


def init_weights(d_in, d_out, seed):
    return torch.zeros(1).expand(10**6, 10**6)


def project(x, W_query, W_key, W_value):
    things = [0.0] * 10
    for _ in range(7):
        things = [things] * 10
    return things


def attention_score(query, key):
    return itertools.count()


def attention_scores(queries, keys):
    things = []
    things.append(things)
    things.append({0: things})
    return things


def scale_scores(scores, d_k):
    return 10 ** (10**6)


def attention_weights(scaled_scores):
    return ["x" * 90_000] * 10_000


def context_vectors(weights, values):
    return {number: {} for number in range(100_000)}


def dot_product_variance(queries, keys):
    return "x" * 200_000_000, torch.zeros(0, 2**62)
