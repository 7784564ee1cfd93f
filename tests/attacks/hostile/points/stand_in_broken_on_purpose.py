"""Breaks every helper and computes nothing.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

def project(*_):
    raise ValueError


scale_scores = attention_scores = attention_weights = context_vectors = project


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        project(x, self.W_query, self.W_key, self.W_value)
        return torch.zeros(len(x), self.W_key.shape[1])
