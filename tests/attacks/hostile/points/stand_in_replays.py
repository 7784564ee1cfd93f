"""Answers a question with what stand-ins said in an earlier one.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

KEPT = []

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        KEPT.append(project(x, self.W_query, self.W_key, self.W_value)[2])
        return KEPT[0]
