"""Sets back the time of its hand-in, or another's: file rules do not see that.

stopped_by: seccomp; bubblewrap; mounts
stand_in: seccomp bubblewrap mounts
"""
import os


def init_weights(d_in, d_out, seed):
    os.utime("@VICTIM_FILE@", (0, 0))
