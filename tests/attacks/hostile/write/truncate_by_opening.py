"""Empties files by opening them only to read, with O_TRUNC: early file rules do not see that.

stopped_by: seccomp (no such flags); landlock; bubblewrap; mounts
stand_in: seccomp landlock bubblewrap mounts
"""
import os


def init_weights(d_in, d_out, seed):
    for flags in (os.O_RDONLY, os.O_WRONLY, 3, os.O_PATH):
        try:
            os.open("@VICTIM_FILE@", flags | os.O_TRUNC)
        except OSError as error:
            print(error)
    try:
        os.truncate("@VICTIM_FILE@", 0)
    except OSError as error:
        print(error)
