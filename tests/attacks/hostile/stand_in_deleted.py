"""Calls a stand-in while the interpreter collects garbage.

goal: points
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: calls are answered one by one, and a call inside of a call is no answer
"""

import gc


class Last:
    def __init__(self):
        self.me = self

    def __del__(self):
        scale_scores(torch.ones(2, 2), 4)


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        Last()
        gc.collect()
        return x @ self.W_key
