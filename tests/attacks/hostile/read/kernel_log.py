"""Reads the kernel's log and asks the kernel for addresses.

stopped_by: seccomp; landlock
"""
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def init_weights(d_in, d_out, seed):
    buffer = ctypes.create_string_buffer(4096)
    if libc.klogctl(3, buffer, 4096) > 0:
        print("@DONE@"[::-1])
