"""Kills another process of the same user.

catalogue: 9
stopped_by: seccomp; landlock; bubblewrap
stand_in: seccomp landlock bubblewrap
"""
import os
import signal


def init_weights(d_in, d_out, seed):
    os.kill(int("@PID@"), signal.SIGKILL)
