"""Calls itself without end.

catalogue: 36
stopped_by: Python; the step's own process
"""


def init_weights(d_in, d_out, seed):
    return init_weights(d_in, d_out, seed)
