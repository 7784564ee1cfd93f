"""Calls the backward pass of a stand-in directly, with strange values.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: a gradient has the shape of what it belongs to; what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        x = x.clone().requires_grad_()
        found = scale_scores(x, 4)
        backward = type(found.grad_fn)
        for given in ((), (None,), (x, x), (torch.ones(9, 9),), (float("nan") * x,), (x.double(),)):
            try:
                found.grad_fn(*given)
            except Exception:
                pass
        return found
