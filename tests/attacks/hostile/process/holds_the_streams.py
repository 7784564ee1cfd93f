"""Leaves a process behind that keeps the grader's pipes open, so that whoever reads to their end waits for ever.

catalogue: 12
stopped_by: seccomp; nobody reads to the end
"""
import os
import time


def init_weights(d_in, d_out, seed):
    if os.fork() == 0:
        time.sleep(30)
        os._exit(0)
    os._exit(0)
