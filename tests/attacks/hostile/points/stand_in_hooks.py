"""Changes the gradients of stand-ins by hooks.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        found = context_vectors(torch.eye(len(x)), x @ self.W_value)
        found.register_hook(lambda gradient: gradient * 0 + 1)
        return found
