"""Connects to a server on this machine.

catalogue: 23
stopped_by: seccomp; landlock; bubblewrap
stand_in: seccomp landlock bubblewrap
"""
import socket


def init_weights(d_in, d_out, seed):
    with socket.create_connection(("127.0.0.1", int("@PORT@")), timeout=2) as connection:
        connection.sendall(b"inputs")
