"""Asks for the size and time of another student's file: only names and sizes, but of work that is not its own.

stopped_by: bubblewrap (file rules and system call lists let stat through: a known limit without it)
only_with: bubblewrap
stand_in: bubblewrap
"""
import os


def init_weights(d_in, d_out, seed):
    print("@DONE@"[::-1], os.stat("@NEIGHBOUR@").st_size, os.path.exists("@RESULTS@"))
