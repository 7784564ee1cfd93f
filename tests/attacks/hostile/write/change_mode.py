"""Takes all rights from a file: file rules do not see that.

stopped_by: seccomp; bubblewrap; mounts
stand_in: seccomp bubblewrap mounts
"""
import os


def init_weights(d_in, d_out, seed):
    os.chmod("@VICTIM_FILE@", 0)
