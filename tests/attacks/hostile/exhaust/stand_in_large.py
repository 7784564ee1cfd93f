"""Gives a stand-in a million numbers.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: arguments are no larger than those of the question
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return attention_scores(torch.ones(1_000, 1_000), torch.ones(1_000, 1_000))
