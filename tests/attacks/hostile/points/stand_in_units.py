"""Asks stand-ins about unit vectors, and puts what it learned together in its own way.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        unit = torch.eye(x.shape[1])
        columns = [context_vectors(x, unit[:, [at]]) for at in range(x.shape[1])]
        scale = float(scale_scores(torch.ones(1, 1), self.W_key.shape[1]))
        soft = attention_weights(torch.eye(len(x)))
        return soft @ torch.cat(columns, 1) @ self.W_value * scale
