"""Gives a stand-in matrices without numbers whose product is huge.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: dimensions are no larger than those of the question
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return attention_scores(torch.ones(10**6, 0), torch.ones(10**6, 0))
