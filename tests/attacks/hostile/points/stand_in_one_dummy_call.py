"""Calls a stand-in for nothing, and returns zeros.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        project(x, self.W_query, self.W_key, self.W_value)
        scale_scores(x, 4)
        attention_weights(x)
        return torch.zeros(x.shape[0], self.W_value.shape[1])
