"""Kills the process that it was forked from.

catalogue: 9
stopped_by: seccomp; landlock; bubblewrap (the first process of a namespace)
"""
import os
import signal


def init_weights(d_in, d_out, seed):
    for number in (signal.SIGTERM, signal.SIGSEGV, signal.SIGKILL):
        try:
            os.kill(os.getppid(), number)
        except OSError as error:
            print(error)
