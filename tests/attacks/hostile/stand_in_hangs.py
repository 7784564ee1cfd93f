"""Hangs after a call.

goal: exhaust
honest: SelfAttention_v1=1
catalogue: 38
slow: yes
stopped_by: limits; a question has its time as a whole, and all workers of a submission share one deadline
"""

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        scale_scores(x, 4)
        while True:
            pass
