"""Makes a pair of sockets, which is allowed for asyncio, and sends from it to somebody else's: /dev/log, say.

stopped_by: seccomp (pairs are streams only); bubblewrap
stand_in: seccomp bubblewrap landlock
"""
import socket


def init_weights(d_in, d_out, seed):
    for kind in (socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_STREAM):
        for address in ("@UNIX_DATAGRAMS@", "\0@ABSTRACT@-datagrams", "/dev/log", "/run/systemd/journal/dev-log"):
            if address.startswith(("/dev", "/run")) and "@UNIX_DATAGRAMS@" != address:
                continue  # a real one is left in peace
            for send in (
                lambda pair: pair[0].sendto(b"inputs", address),
                lambda pair: pair[0].sendmsg([b"inputs"], [], 0, address),
                lambda pair: pair[0].connect(address) or pair[0].send(b"inputs"),
            ):
                try:
                    send(socket.socketpair(socket.AF_UNIX, kind))
                except OSError as error:
                    print(error)
