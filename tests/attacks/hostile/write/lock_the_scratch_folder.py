"""Takes all rights from its working folder, and tries to remove and replace it, so that it cannot be cleaned up.

catalogue: 36
stopped_by: seccomp; the folder is the warm process's to remove
"""
import os


def init_weights(d_in, d_out, seed):
    here = os.getcwd()
    for change in (
        lambda: os.chmod(".", 0),
        lambda: os.chmod("..", 0),
        lambda: os.rmdir(here),
        lambda: os.rename(here, here + "-@TOKEN@"),
        lambda: os.mkdir("@TOKEN@"),
        lambda: os.symlink("/", "@TOKEN@"),
        lambda: os.chdir("/"),
    ):
        try:
            change()
        except OSError as error:
            print(error)
