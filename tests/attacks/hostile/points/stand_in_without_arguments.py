"""Leaves arguments of stand-ins out, and gives too many.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        for given in ((), (x,), (x,) * 3, (x,) * 9):
            for step in (project, attention_scores, scale_scores, attention_weights, context_vectors):
                try:
                    found = step(*given)
                except Exception:
                    found = x
        return found
