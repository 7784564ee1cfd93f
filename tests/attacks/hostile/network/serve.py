"""Waits for others to connect, on a port of its own.

stopped_by: seccomp; landlock
stand_in: seccomp landlock
"""
import socket


def init_weights(d_in, d_out, seed):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        print("@DONE@"[::-1])
