"""Asks for a name that carries what it knows: a lookup goes through even where nothing else does.

catalogue: 23
stopped_by: seccomp; landlock; bubblewrap
"""
import socket


def init_weights(d_in, d_out, seed):
    for ask in (
        lambda: socket.getaddrinfo("@TOKEN@.example.invalid", 80),
        lambda: socket.gethostbyname("localhost"),
        lambda: socket.getaddrinfo("localhost", int("@PORT@")),
        lambda: socket.getfqdn(),
    ):
        try:
            print(ask())
        except (OSError, UnicodeError) as error:
            print(error)
