"""Gives stand-ins numbers at the edges: the smallest, the largest, negative zero, complex, true, none.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        found = x
        for given in (5e-324, 1.8e308, -0.0, -1, 1j, True, None, 0, float("nan"), -(2**63), 2**70, b"4", "4"):
            try:
                found = scale_scores(x, given)
            except Exception:
                pass
        return found.real
