"""Tells the numbers of its inputs by how long it takes. A note: a stay's length is seen by those who measure it.

catalogue: 23
stopped_by: not stopped; inputs are drawn anew in each run, so they are worth nothing afterwards
"""
import time


def scale_scores(scores, d_k):
    for bit in range(4):
        if d_k >> bit & 1:
            time.sleep(0.02 * (bit + 1))
    return scores
