"""Gives stand-ins arrays of its own kind, and objects that cannot be sent.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: arguments travel as plain data
"""

import numpy as np

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        class Mine(np.ndarray):
            def __array__(self, *_):
                raise SystemExit

            shape = property(lambda _: (10**9,))

        class Odd:
            __class__ = torch.Tensor
            requires_grad = property(lambda _: 1 / 0)

        for given in (np.ones((2, 2)).view(Mine), Odd(), np.array([Odd()]), x.to_sparse(), x.to("meta"), lambda: x, self):
            try:
                scale_scores(given, given)
            except BaseException:
                pass
        return x
