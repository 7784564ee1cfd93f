"""Fills pipes and pairs of sockets, whose content is the kernel's memory.

catalogue: 36
stopped_by: limits (number of files); seccomp (pipes cannot be made larger, no descriptors sent along)
"""
import fcntl
import os
import socket


def init_weights(d_in, d_out, seed):
    total, kept = 0, []
    try:
        for _ in range(2000):
            reader, writer = os.pipe()
            kept.append(reader)
            os.set_blocking(writer, False)
            try:
                fcntl.fcntl(writer, 1031, 1 << 20)
                print("@DONE@"[::-1], "a larger pipe")
            except OSError:
                pass
            try:
                while True:
                    total += os.write(writer, b"\0" * 65536)
            except BlockingIOError:
                pass
    except OSError as error:
        print(error)
    try:
        one, other = socket.socketpair()
        kept.append(other)
        socket.send_fds(one, [b"!"], [one.fileno()])
        print("@DONE@"[::-1], "descriptors in flight")
    except OSError as error:
        print(error)
    print(total)
    if total > 200 << 20:
        print("@DONE@"[::-1])
