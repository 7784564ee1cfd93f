"""Lets C call itself until its stack is used up: nested containers, their text, their destruction, deep code.

catalogue: 36
stopped_by: a crash costs the step its process, and nothing else
"""
import sys

sys.setrecursionlimit(2**31 - 1)


def init_weights(d_in, d_out, seed):
    things = []
    for _ in range(1_000_000):
        things = [things]
    return repr(things)


def attention_score(query, key):
    return compile("(" * 100_000 + ")" * 100_000, "deep", "eval")


def scale_scores(scores, d_k):
    class Deep:
        def __getattr__(self, name):
            return getattr(self, name)

    return Deep().something
