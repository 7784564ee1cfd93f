"""Gives stand-ins a list that contains itself.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: levels and items are counted
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        endless = []
        endless.append(endless)
        return scale_scores(endless, 4)
