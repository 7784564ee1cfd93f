"""Gives a stand-in matrices without numbers whose product is huge.

goal: exhaust
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: dimensions are no larger than those of the question
"""

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        return attention_scores(torch.ones(10**6, 0), torch.ones(10**6, 0))
