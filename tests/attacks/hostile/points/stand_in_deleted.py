"""Calls a stand-in while the interpreter collects garbage.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: calls are answered one by one, and a call inside of a call is no answer
"""

import gc


class Last:
    def __init__(self):
        self.me = self

    def __del__(self):
        scale_scores(torch.ones(2, 2), 4)


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        Last()
        gc.collect()
        return x @ self.W_key
