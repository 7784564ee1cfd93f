"""Sends signals by the calls that lists forget: tkill, tgkill, queues, a process's descriptor.

catalogue: 9
stopped_by: seccomp; landlock; bubblewrap
stand_in: seccomp landlock bubblewrap
machine: x86_64
"""
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
TKILL, TGKILL, QUEUE, THREAD_QUEUE, PIDFD_OPEN, PIDFD_SEND = 200, 234, 129, 297, 434, 424


def init_weights(d_in, d_out, seed):
    target, information = int("@PID@"), (ctypes.c_int * 32)(15, 0, -1)
    handle = libc.syscall(PIDFD_OPEN, target, 0)
    for call in (
        (PIDFD_SEND, handle, 15, None, 0),
        (TKILL, target, 15),
        (TGKILL, target, target, 15),
        (QUEUE, target, 15, information),
        (THREAD_QUEUE, target, target, 15, information),
    ):
        print(call[0], libc.syscall(*call), ctypes.get_errno())
