"""Connects to a service of this machine by its path: file rules do not see that.

catalogue: 23
stopped_by: seccomp; bubblewrap
stand_in: seccomp bubblewrap
"""
import socket


def init_weights(d_in, d_out, seed):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("@UNIX_SOCKET@")
        connection.sendall(b"inputs")
