"""Locks its memory, and the processors' attention, so that others are starved.

catalogue: 36
stopped_by: seccomp
"""
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def init_weights(d_in, d_out, seed):
    if libc.mlockall(3) == 0:
        print("@DONE@"[::-1])
    if libc.munlockall() == 0:
        print("@DONE@"[::-1])
    for change in (
        lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)),
        lambda: os.sched_setaffinity(0, {0}),
    ):
        try:
            change()
        except OSError as error:
            print(error)
        else:
            print("@DONE@"[::-1])
