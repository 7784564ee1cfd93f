"""Looks for a token in its own environment, its arguments and what they were at the start.

catalogue: 24
stopped_by: the warm process starts with a clean environment
"""
import ctypes
import os
import sys


def init_weights(d_in, d_out, seed):
    print(dict(os.environ), sys.argv, sys.orig_argv, sys.path, sys.flags, os.getcwd())
    print(ctypes.c_char_p.in_dll(ctypes.CDLL(None), "program_invocation_name").value)
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    for number in range(1000):
        if environ[number] is None:
            break
        print(environ[number])
    try:
        print(open("/proc/self/environ", "rb").read())
    except OSError as error:
        print(error)
