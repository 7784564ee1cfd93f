"""Replaces itself by another program, which inherits its streams and none of what was done to it in Python.

stopped_by: seccomp; landlock; bubblewrap
stand_in: seccomp landlock bubblewrap
"""
import os
import sys


def init_weights(d_in, d_out, seed):
    words = "@DONE@"[::-1]
    for program, arguments in (
        ("/bin/echo", ["echo", words]),
        ("/usr/bin/echo", ["echo", words]),
        (sys.executable, ["python", "-c", f"print({words!r})"]),
        ("/bin/su", ["su", "-c", f"echo {words}"]),
        ("/usr/bin/mount", ["mount"]),
        ("/lib64/ld-linux-x86-64.so.2", ["ld.so", "/bin/echo", words]),
    ):
        try:
            os.dup2(2, 1)
            os.execv(program, arguments)
        except OSError as error:
            print(error)
