"""Ends the process while a gradient is pulled back.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: a new worker, as after any step that ends its process
"""

import os


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        queries = scale_scores(x @ self.W_query, 4)
        queries.register_hook(lambda gradient: os._exit(0))
        return queries
