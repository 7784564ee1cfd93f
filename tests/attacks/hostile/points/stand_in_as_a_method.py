"""Takes stand-ins as its own methods.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    forward = project
    __call__ = attention_scores
