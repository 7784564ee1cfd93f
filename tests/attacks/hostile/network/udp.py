"""Sends the inputs in a datagram.

catalogue: 23
stopped_by: seccomp; bubblewrap
stand_in: seccomp bubblewrap
"""
import socket


def init_weights(d_in, d_out, seed):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"inputs", ("127.0.0.1", int("@UDP_PORT@")))
