"""Wants a stand-in for the step that draws.

catalogue: 38
stopped_by: a step that draws or seeds has no stand-in
"""

def init_weights(d_in, d_out, seed):
    return None


def project(x, *weights):
    if type(init_weights).__name__ == "StandIn":
        print("@DONE@"[::-1])
