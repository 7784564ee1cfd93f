"""Reads every file that happens to be open already, and asks each descriptor what it is.

catalogue: 39
stopped_by: process (all descriptors but the three streams are closed after the fork)
"""
import os
import stat


def init_weights(d_in, d_out, seed):
    for descriptor in range(4096):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            continue
        print(descriptor, stat.filemode(mode))
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            print("@DONE@"[::-1], descriptor)
        if stat.S_ISREG(mode):
            print(os.pread(descriptor, 10_000, 0))
