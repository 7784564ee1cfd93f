"""Sends an answer a byte at a time, and output likewise, so that there is always something new.

catalogue: 37
slow: yes
stopped_by: the grader's clock
"""
import os
import time


def init_weights(d_in, d_out, seed):
    for number in range(10**9):
        for descriptor in (2, 3, 4, 5):
            try:
                os.write(descriptor, b"AKF1\xff\xff\x00\x00"[number : number + 1] or b"N")
            except OSError:
                pass
        time.sleep(0.01)
