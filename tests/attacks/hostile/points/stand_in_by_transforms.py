"""Calls stand-ins inside of vmap, jacrev and jvp.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        found = scale_scores(x, 4)
        for transformed in (torch.func.vmap, torch.func.jacrev, torch.func.grad, torch.func.hessian):
            try:
                found = transformed(attention_weights)(x)
            except Exception:
                pass
        return found
