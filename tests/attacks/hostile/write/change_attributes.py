"""Hangs extra attributes on a file, and sets its flags by a system call newer than most lists.

stopped_by: seccomp; bubblewrap
"""
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def init_weights(d_in, d_out, seed):
    for change in (
        lambda: os.setxattr("@VICTIM_FILE@", "user.@TOKEN@", b"1"),
        lambda: os.chown("@VICTIM_FILE@", os.getuid(), os.getgid()),
        lambda: os.link("@VICTIM_FILE@", "@VICTIM_FILE@.@TOKEN@"),
    ):
        try:
            change()
        except OSError as error:
            print(error)
        else:
            print("@DONE@"[::-1])
    for call in (463, 466, 468, 469):  # setxattrat, removexattrat, file_getattr, file_setattr
        libc.syscall(call, -100, b"@VICTIM_FILE@", ctypes.create_string_buffer(64), 24, 0)
        if ctypes.get_errno() not in (1, 38):
            print("@DONE@"[::-1], call, ctypes.get_errno())
