"""Becomes root again, or another user, or takes capabilities.

stopped_by: user; seccomp
machine: x86_64
"""
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def init_weights(d_in, d_out, seed):
    before = (os.getresuid(), os.getresgid())
    for change in (
        lambda: os.setresuid(0, 0, 0),
        lambda: os.setuid(1),
        lambda: os.setresuid(1, 1, 1),
        lambda: os.setgroups([0]),
        lambda: os.setresgid(0, 0, 0),
        lambda: os.chroot("/"),
        lambda: os.nice(-5),
        lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
    ):
        try:
            change()
        except OSError as error:
            print(error)
        else:
            print("@DONE@"[::-1], before, (os.getresuid(), os.getresgid()))
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    every = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    if libc.capset(header, every) == 0:
        print("@DONE@"[::-1])
    if libc.prctl(39, 0, 0, 0, 0) == 0:  # PR_GET_NO_NEW_PRIVS
        print("@DONE@"[::-1], "programs may give it powers")
