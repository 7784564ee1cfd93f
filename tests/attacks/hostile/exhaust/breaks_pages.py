"""Tells the kernel that its pages are broken, and gives up memory that others would have to wait for.

stopped_by: seccomp (kinds of advice are listed)
"""
import ctypes
import mmap

libc = ctypes.CDLL(None, use_errno=True)


def init_weights(d_in, d_out, seed):
    page = mmap.mmap(-1, 4096)
    page[:1] = b"!"
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    for advice in (100, 101):  # MADV_HWPOISON, MADV_SOFT_OFFLINE
        if libc.madvise(ctypes.c_void_p(address), 4096, advice) == 0:
            print("@DONE@"[::-1], advice)
