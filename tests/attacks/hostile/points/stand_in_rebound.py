"""Gives the stand-ins other parts.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        scale_scores._parameters = ("scores",) * 9
        scale_scores._asking = lambda *a, **b: torch.ones(3)
        scale_scores.take_signature = None
        return scale_scores(x, 4)
