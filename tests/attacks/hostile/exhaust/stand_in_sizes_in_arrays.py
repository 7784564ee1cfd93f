"""Asks for enormous sizes by arrays of integers.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: integers are bounded in arrays too
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        for given in (torch.tensor(10**12), torch.tensor([10**12]), torch.tensor(-(2**63)), [10**12]):
            try:
                scale_scores(torch.ones(3, 3), given)
                context_vectors(given, given)
            except RuntimeError:
                pass
        return x
