"""Gives other processes the last place in the queue: niceness, processors, input and output, scheduling.

stopped_by: seccomp; bubblewrap; user
stand_in: seccomp bubblewrap
machine: x86_64
"""
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
IOPRIO_SET = 251


def init_weights(d_in, d_out, seed):
    target = int("@PID@")
    for change in (
        lambda: os.setpriority(os.PRIO_PROCESS, target, 19),
        lambda: os.sched_setaffinity(target, {0}),
        lambda: os.sched_setscheduler(target, os.SCHED_IDLE, os.sched_param(0)),
    ):
        try:
            change()
        except OSError as error:
            print(error)
    print(libc.syscall(IOPRIO_SET, 1, target, 3 << 13), ctypes.get_errno())
