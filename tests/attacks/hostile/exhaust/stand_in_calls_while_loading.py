"""Calls a stand-in 10,001 times while the file loads.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: 2,000 calls in all loadings, then the worker is ended
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return project(x, self.W_query, self.W_key, self.W_value)[0]


try:
    for _ in range(10_001):
        scale_scores(torch.ones(1, 1), 4)
except NotImplementedError:
    pass
