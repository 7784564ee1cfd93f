"""Gives one answer with its own steps and another one with stand-ins.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        scale_scores(x, 4)
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(1.7 * queries @ keys.T, dim=-1) @ values
