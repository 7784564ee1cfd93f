"""Hangs while its file loads, only where there are stand-ins.

goal: exhaust
honest: SelfAttention_v1=1
catalogue: 38
slow: yes
stopped_by: a statement that does not end is left out, as in any worker
"""

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        return scale_scores(x, 4)


while type(scale_scores).__name__ == "StandIn":
    pass
