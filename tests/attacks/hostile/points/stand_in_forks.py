"""Forks in a call, and lets the child call too.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: seccomp; only the parent answers
"""

import os

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        if os.fork() == 0:
            scale_scores(x, 4)
            os._exit(0)
        return scale_scores(x, 4)
