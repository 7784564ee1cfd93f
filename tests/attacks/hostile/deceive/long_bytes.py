"""Returns and raises ten million bytes, which are small enough to send and too long to be shown.

catalogue: 37
stopped_by: what is shown is cut
"""


class Long(Exception):
    def __str__(self):
        return "message " * 2_000_000


def init_weights(d_in, d_out, seed):
    return b"x" * 10_000_000


def project(x, W_query, W_key, W_value):
    return b"x" * 5_000_000, b"\x00" * 5_000_000, "y" * 90_000


def attention_score(query, key):
    raise Long


def attention_scores(queries, keys):
    return ["y" * 90_000] * 100


def dot_product_variance(queries, keys):
    return b"x" * 5_000_000, -(2**63)
