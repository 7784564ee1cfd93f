"""Hangs after a call.

honest: SelfAttention_v1=1
catalogue: 38
slow: yes
uses: parameters
stopped_by: limits; a question has its time as a whole, and all workers of a submission share one deadline
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        scale_scores(x, 4)
        while True:
            pass
