"""Forks one child.

catalogue: 36
stopped_by: seccomp
stand_in: seccomp
"""
import os


def init_weights(d_in, d_out, seed):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, "@DONE@"[::-1].encode())
        os._exit(0)
    os.waitpid(child, 0)
    print(os.read(reader, 100).decode())
