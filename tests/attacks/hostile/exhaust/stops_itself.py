"""Stops itself by a signal, so that it neither computes nor ends.

catalogue: 36
stopped_by: seccomp; the grader's clock
"""
import os
import signal


def init_weights(d_in, d_out, seed):
    for stop in (lambda: os.kill(os.getpid(), signal.SIGSTOP), lambda: signal.raise_signal(signal.SIGSTOP)):
        try:
            stop()
        except OSError as error:
            print(error)
