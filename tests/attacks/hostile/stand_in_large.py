"""Gives a stand-in a million numbers.

goal: exhaust
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: arguments are no larger than those of the question
"""

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        return attention_scores(torch.ones(1_000, 1_000), torch.ones(1_000, 1_000))
