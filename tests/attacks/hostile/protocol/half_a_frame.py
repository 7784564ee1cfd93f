"""Promises a frame and never finishes it.

catalogue: 37
slow: yes
stopped_by: the grader's clock
"""
import os
import time


def init_weights(d_in, d_out, seed):
    for descriptor in range(16):
        try:
            os.set_blocking(descriptor, False)
            os.write(descriptor, b"AKF1\x00\x00\x10\x00" + b"L")
        except OSError:
            pass
    time.sleep(3600)
