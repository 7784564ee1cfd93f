"""Calls a stand-in 1,001 times in one question.

goal: exhaust
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: 1,000 calls, then the worker is ended
"""

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        for _ in range(1_001):
            found = scale_scores(x, 4)
        return found
