"""Gives stand-ins objects that are equal to everything.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: arguments travel as plain data
"""

class Equal:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1

    def __float__(self):
        return 2.0

    __class__ = float


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return scale_scores(x, Equal())
