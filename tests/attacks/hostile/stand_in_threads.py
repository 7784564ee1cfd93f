"""Calls stand-ins from many threads at once.

goal: points
honest: SelfAttention_v1=1
catalogue: 38
stopped_by: calls are answered one by one, each with its number
"""

import threading

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        found = []
        def call():
            for _ in range(20):
                found.append(scale_scores(x, 4))
        threads = [threading.Thread(target=call) for _ in range(8)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        return found[0]
