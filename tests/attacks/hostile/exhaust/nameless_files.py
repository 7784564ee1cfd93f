"""Fills memory with files that have no name, which no limit on a process's memory counts.

catalogue: 36
stopped_by: seccomp (no such files); limits (size of a file, number of files)
"""
import os


def init_weights(d_in, d_out, seed):
    block, kept, total = b"\0" * (1 << 20), [], 0
    while total < 600:
        kept.append(os.memfd_create("filler"))
        for _ in range(64):
            total += os.write(kept[-1], block) >> 20
            if total >= 600:
                break
    print("@DONE@"[::-1], total, "MB")
