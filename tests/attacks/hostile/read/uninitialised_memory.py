"""Reads freshly allocated memory, in which something of an earlier submission may be left.

stopped_by: process (each submission has a process of its own, forked from one that ran no student's code)
"""
import ctypes

import numpy


def init_weights(d_in, d_out, seed):
    needles = [b"akt" + b"-secret-", b"### BEGIN " + b"SOLUTION"]
    for size in (100, 1000, 10_000, 100_000, 1_000_000):
        for _ in range(20):
            for data in (numpy.empty(size, numpy.uint8).tobytes(), bytes(torch.empty(size, dtype=torch.uint8).numpy())):
                for needle in needles:
                    at = data.find(needle)
                    if at >= 0:
                        print(data[at : at + 100])
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    block = libc.malloc(1 << 20)
    data = ctypes.string_at(block, 1 << 20)
    print(any(needle in data for needle in needles))
