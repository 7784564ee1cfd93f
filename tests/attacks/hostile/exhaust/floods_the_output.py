"""Writes to its output from several threads at once, so that whoever reads it until nothing is there never ends.

catalogue: 36
slow: yes
stopped_by: limits; the grader looks at its clock while it reads
"""
import os
import threading


def write():
    block = b"x" * 65536
    while True:
        os.write(2, block)


def init_weights(d_in, d_out, seed):
    for _ in range(4):
        threading.Thread(target=write, daemon=True).start()
    write()
