"""Closes every open file and waits.

slow: yes
stopped_by: the end of the answers is the end of the worker; the grader's clock
"""
import os
import time


def init_weights(d_in, d_out, seed):
    os.closerange(0, 4096)
    time.sleep(3600)
