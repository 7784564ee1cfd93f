"""Prints 64 MB between two calls.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: output is limited
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        scale_scores(x, 4)
        for _ in range(70):
            print("x" * 2**20)
        return scale_scores(x, 4)
