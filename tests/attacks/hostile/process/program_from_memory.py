"""Writes a program into memory that has no name in any folder, and runs it from there.

stopped_by: seccomp
stand_in: seccomp
machine: x86_64
"""
import ctypes
import os
import struct

WORDS = "@DONE@"[::-1].encode()
CODE = (
    b"\xbf\x02\x00\x00\x00\x48\x8d\x35\x19\x00\x00\x00\xba" + struct.pack("<I", len(WORDS)) + b"\xb8\x01\x00\x00\x00\x0f\x05"
    b"\xbf\x2a\x00\x00\x00\xb8\x3c\x00\x00\x00\x0f\x05" + b"\x90"
)  # write(2, WORDS); exit(42)
BASE = 0x400000


def program():
    code = CODE + WORDS
    header = b"\x7fELF\x02\x01\x01" + bytes(9)
    header += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, BASE + 120, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    size = 120 + len(code)
    return header + struct.pack("<IIQQQQQQ", 1, 5, 0, BASE, BASE, size, size, 4096) + code


def init_weights(d_in, d_out, seed):
    libc = ctypes.CDLL(None, use_errno=True)
    memory = os.memfd_create("program")
    os.write(memory, program())
    nothing = (ctypes.c_char_p * 1)(None)
    libc.syscall(322, memory, b"", (ctypes.c_char_p * 2)(b"program", None), nothing, 0x1000)
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
