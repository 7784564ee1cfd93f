"""Calls stand-ins when the interpreter ends, and when objects die.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

import atexit
import weakref


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        atexit.register(scale_scores, x, 4)
        weakref.finalize(self, scale_scores, x, 4)
        return scale_scores(x, 4)
