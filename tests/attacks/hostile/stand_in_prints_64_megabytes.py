"""Prints 64 MB between two calls.

goal: exhaust
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: output is limited
"""

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        scale_scores(x, 4)
        for _ in range(70):
            print("x" * 2**20)
        return scale_scores(x, 4)
