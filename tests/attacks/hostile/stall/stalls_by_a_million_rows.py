"""Returns one tensor of a million rows where two, three or six parts are asked.

catalogue: 36
stopped_by: parts are counted before a tensor is taken apart
"""


def init_weights(d_in, d_out, seed):
    return torch.zeros(1_000_000, 3)


def project(x, W_query, W_key, W_value):
    return torch.zeros(1_000_000, 3)


def dot_product_variance(queries, keys):
    return torch.zeros(2_000_000)
