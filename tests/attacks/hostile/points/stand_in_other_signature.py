"""Gives its own step a signature that asks for everything.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: arguments arrive under the released names only
"""

class Everything(dict):
    def __getitem__(self, name):
        return name


def scale_scores(scores, d_k, expected=None, reference=None, solution=None, **more):
    return None


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return scale_scores(x, 4, expected=x, reference=x, solution=x, more=Everything())
