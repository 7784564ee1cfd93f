"""Pulls back upstream values of its own choice, and hands in what comes back.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
costly: yes
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        leaf = torch.ones(len(x), len(x), requires_grad=True)
        found = context_vectors(leaf, x @ self.W_value)
        found.backward(torch.eye(len(x))[:, : found.shape[1]])
        return leaf.grad[:, : found.shape[1]]
