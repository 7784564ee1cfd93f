"""Deletes all stand-ins, and binds their names anew in the middle of a question.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

SCALE = scale_scores


def scale_scores(scores, d_k):
    raise ValueError


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        scale = globals().pop("scale_scores")
        for name in ("init_weights", "transfer_weights", "project"):
            globals()[name] = scale
        return scale(x, 4)
