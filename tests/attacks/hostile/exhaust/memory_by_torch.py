"""Asks for more memory than there is, in one piece.

catalogue: 36
stopped_by: limits
"""


def init_weights(d_in, d_out, seed):
    return torch.zeros(50_000_000_000)
