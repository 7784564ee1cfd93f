"""Calls a stand-in 1,001 times in one question.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: 1,000 calls, then the worker is ended
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        for _ in range(1_001):
            found = scale_scores(x, 4)
        return found
