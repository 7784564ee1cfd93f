"""Gives one answer with its own steps and another one with stand-ins.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: not stopped where it is right: half of the points for a second try, which a second hand-in gives as well
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        scale_scores(x, 4)
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(queries @ keys.T / keys.shape[0] ** 0.5, dim=-1) @ values
