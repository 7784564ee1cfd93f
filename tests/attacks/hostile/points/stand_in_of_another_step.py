"""Builds a stand-in of its own for a step that has none.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: a call of a step that has no stand-in ends the worker
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return STOLEN(3, 2)


def transfer_weights(sa_v2, sa_v1):
    return type(scale_scores)("SelfAttention_v2", ["d_in", "d_out"], scale_scores._asking)(3, 2)


def STOLEN(*given):
    return type(scale_scores)("SelfAttention_v1", ["d_in", "d_out"], scale_scores._asking)(*given)
