"""Prints a gigabyte at once, in pieces, without a line's end, and to both streams.

catalogue: 36
stopped_by: what is printed is cut while it arrives
"""
import os
import sys


def init_weights(d_in, d_out, seed):
    block = b"x" * (1 << 20)
    for number in range(1024):
        os.write(1 + number % 2, block)
    sys.stderr.write("y" * 1_000_000)
