"""Copies stand-ins, deeply and by pickle, and calls the copies.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

import copy
import pickle


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        for copied in (copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))):
            try:
                x = copied(scale_scores)(x, 4)
            except Exception:
                pass
        return scale_scores(x, 4)
