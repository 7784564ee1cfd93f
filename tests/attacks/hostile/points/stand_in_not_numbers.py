"""Gives stand-ins nan and inf, and returns what comes back.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return context_vectors(attention_weights(x * float("inf")), x / 0)
