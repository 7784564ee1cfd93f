"""Gives two stand-ins each other's name.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        scale_scores.__name__, attention_weights.__name__ = "attention_weights", "scale_scores"
        return scale_scores(attention_weights(x @ self.W_query, 4))
