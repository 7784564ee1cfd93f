"""Ends the process in the middle of a call.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: a new worker, as after any step that ends its process
"""

import os

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        scale_scores(x, 4)
        os._exit(0)
