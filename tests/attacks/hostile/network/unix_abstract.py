"""Connects to a service of this machine that has a name and no path.

catalogue: 23
stopped_by: seccomp; landlock; bubblewrap
stand_in: seccomp landlock bubblewrap
"""
import socket


def init_weights(d_in, d_out, seed):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("\0@ABSTRACT@")
        connection.sendall(b"inputs")
