"""Takes all rights from a file: file rules do not see that.

stopped_by: seccomp; bubblewrap
stand_in: seccomp bubblewrap
"""
import os


def init_weights(d_in, d_out, seed):
    os.chmod("@VICTIM_FILE@", 0)
