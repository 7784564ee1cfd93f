"""Calls a stand-in without end.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: 1,000 calls a question
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        while True:
            scale_scores(x, 4)
