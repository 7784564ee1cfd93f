"""Leaves traces that later programs of this process tree would obey: LD_PRELOAD, PYTHONPATH, PYTHONSTARTUP.

catalogue: 5 38
twice: yes
stopped_by: process (each submission is forked from a process that no student's code has touched)
"""
import ctypes
import os

libc = ctypes.CDLL(None)


def init_weights(d_in, d_out, seed):
    if os.environ.get("LD_PRELOAD") or os.environ.get("AKT_WAS_HERE"):
        print("@DONE@"[::-1])
    for name in ("LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "AKT_WAS_HERE", "PATH"):
        os.environ[name] = "/tmp/@TOKEN@"
        libc.setenv(name.encode(), b"/tmp/@TOKEN@", 1)
    os.environ.clear()
    os.umask(0)
