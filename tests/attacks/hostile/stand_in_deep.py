"""Gives stand-ins a list that contains itself.

goal: exhaust
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: levels and items are counted
"""

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        endless = []
        endless.append(endless)
        return scale_scores(endless, 4)
