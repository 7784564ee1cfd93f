"""Asks for enormous sizes by integers.

goal: exhaust
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: integers are bounded
"""

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        init_weights(10**9, 10**9, 1)
        return scale_scores(x, 10**18)
