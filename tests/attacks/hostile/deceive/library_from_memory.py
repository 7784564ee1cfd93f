"""Loads machine code of its own as a library out of memory, and makes memory that is written and then run.

catalogue: 39
stopped_by: not stopped: running machine code gives no more than Python has; what it may ask the system is the same
"""
import ctypes
import mmap
import os
import platform


def init_weights(d_in, d_out, seed):
    try:
        memory = os.memfd_create("library")
        ctypes.CDLL(f"/proc/self/fd/{memory}")
    except OSError as error:
        print(error)
    if platform.machine() != "x86_64":
        return None
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x2a\x00\x00\x00\xc3")  # return 42
    function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    print(function())
