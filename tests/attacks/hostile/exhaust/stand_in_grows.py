"""Asks for results that are far larger than the arguments, while the file loads.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: arguments have no more axes than those of the question, so that a result is no larger than its matrices
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return project(x, self.W_query, self.W_key, self.W_value)[0]


for _ in range(100 * (type(scale_scores).__name__ == "StandIn")):
    try:
        context_vectors(torch.ones(100, 1, 100, 1), torch.ones(1, 100, 1, 100))
    except RuntimeError:
        pass
