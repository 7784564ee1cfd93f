"""Pulls the gradients of gradients through stand-ins.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        x = x.detach().requires_grad_()
        weights = attention_weights(scale_scores(x, 4))
        [first] = torch.autograd.grad(weights.sum(), x, create_graph=True)
        try:
            [first] = torch.autograd.grad(first.sum(), x)
        except RuntimeError:
            pass
        return first @ self.W_query
