"""Forks as often as it can before any step is called.

catalogue: 36
stopped_by: seccomp; limits (number of processes); all that descends from a submission is ended with it
"""
import os

while True:
    os.fork()
