"""Starts processes by the system's own calls: fork, vfork, clone with and without flags of a thread, clone3.

catalogue: 36
stopped_by: seccomp
machine: x86_64
"""
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
SIGCHLD = 17
VM, FILES, VFORK, THREAD, SIGHAND, PARENT, UNTRACED, NEWUSER = (
    0x100, 0x400, 0x4000, 0x10000, 0x800, 0x8000, 0x800000, 0x10000000)


def init_weights(d_in, d_out, seed):
    me = os.getpid()
    attempts = [(57,), (56, SIGCHLD, 0, 0, 0, 0), (56, SIGCHLD | FILES, 0, 0, 0, 0), (56, PARENT | SIGCHLD, 0, 0, 0, 0)]
    attempts += [(56, NEWUSER | SIGCHLD, 0, 0, 0, 0), (56, 1 << 32 | SIGCHLD, 0, 0, 0, 0)]
    attempts += [(435, (ctypes.c_uint64 * 11)(0, 0, 0, 0, SIGCHLD), 88)]
    for attempt in attempts:
        made = libc.syscall(*attempt)
        if os.getpid() != me:
            os._exit(0)
        print(attempt[0], made, ctypes.get_errno())
        if made > 0:
            print("@DONE@"[::-1], attempt)
