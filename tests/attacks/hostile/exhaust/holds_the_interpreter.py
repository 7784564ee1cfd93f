"""Waits for ever inside C without letting any other thread of Python run.

catalogue: 36
slow: yes
stopped_by: the grader's clock
"""
import ctypes


def init_weights(d_in, d_out, seed):
    ctypes.PyDLL(None).pause()
