"""Makes a world of its own, in which it is root and may mount: where many holes of kernels begin.

stopped_by: seccomp
stand_in: seccomp
"""
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
USER, MOUNTS, NETWORK, SYSVSEM = 0x10000000, 0x20000, 0x40000000, 0x40000


def init_weights(d_in, d_out, seed):
    for flags in (USER | MOUNTS, USER | NETWORK, USER, SYSVSEM):
        ctypes.set_errno(0)
        result = libc.unshare(flags)
        print(result, ctypes.get_errno())
        if result == 0:
            print("@DONE@"[::-1], flags, os.getuid())
