"""Scribbles on memory that it still shares with the process it was forked from.

catalogue: 39
twice: yes
stopped_by: process (no page is shared for writing; no file can be listed to find one)
"""
import ctypes
import gc
import mmap

libc = ctypes.CDLL(None, use_errno=True)


def init_weights(d_in, d_out, seed):
    try:
        lines = open("/proc/self/maps").read().splitlines()
    except OSError as error:
        print(error)
        lines = []
    for line in lines:
        if "rw-s" in line:
            print("@DONE@"[::-1], line)
    for thing in gc.get_objects():
        if isinstance(thing, mmap.mmap):
            thing[:1] = b"!"
            print("@DONE@"[::-1], thing)
