"""Opens files until none can be opened, and calls the steps that follow like that.

catalogue: 36
stopped_by: limits
stand_in: limits
"""
import os

KEPT = []


def init_weights(d_in, d_out, seed):
    while len(KEPT) < 500:
        KEPT.append(os.open("/dev/null", os.O_RDONLY))
    print("@DONE@"[::-1])
