"""Asks for enormous sizes by integers.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: integers are bounded
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        init_weights(10**9, 10**9, 1)
        return scale_scores(x, 10**18)
