"""Pulls the gradients of gradients through stand-ins.

goal: points
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        x = x.detach().requires_grad_()
        weights = attention_weights(scale_scores(x, 4))
        [first] = torch.autograd.grad(weights.sum(), x, create_graph=True)
        try:
            [first] = torch.autograd.grad(first.sum(), x)
        except RuntimeError:
            pass
        return first @ self.W_query
