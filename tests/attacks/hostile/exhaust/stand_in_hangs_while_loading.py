"""Hangs while its file loads, only where there are stand-ins.

honest: SelfAttention_v1=1
catalogue: 38
slow: yes
uses: parameters
stopped_by: a statement that does not end is left out, as in any worker
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return scale_scores(x, 4)


while type(scale_scores).__name__ == "StandIn":
    pass
