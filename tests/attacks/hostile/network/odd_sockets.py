"""Makes sockets of every family and type there is.

catalogue: 23
stopped_by: seccomp
stand_in: seccomp
"""
import socket


def init_weights(d_in, d_out, seed):
    for family in range(46):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET, 4, 6, 10):
            for protocol in (0, 1, 6, 17, 58, 132, 262, 768):
                try:
                    socket.socket(family, kind, protocol).close()
                except OSError:
                    continue
                print("@DONE@"[::-1], family, kind, protocol)
