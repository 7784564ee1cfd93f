"""Attaches to another process as a debugger.

catalogue: 39
stopped_by: seccomp; landlock; bubblewrap; mounts
stand_in: seccomp landlock bubblewrap mounts
machine: x86_64
"""
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
SEIZE = 0x4206


def init_weights(d_in, d_out, seed):
    if libc.syscall(101, SEIZE, int("@PID@"), 0, 0) == 0:
        print("@DONE@"[::-1])
    print(ctypes.get_errno())
