"""Plants a symbolic link, a hard link and a pipe where results will be written.

catalogue: 10
stopped_by: seccomp; landlock; bubblewrap; mounts
stand_in: seccomp landlock bubblewrap mounts
"""
import os


def init_weights(d_in, d_out, seed):
    for number, plant in enumerate(
        (
            lambda path: os.symlink("@VICTIM_FILE@", path),
            lambda path: os.link("@VICTIM_FILE@", path),
            lambda path: os.mkfifo(path),
            lambda path: os.mkdir(path, 0),
        )
    ):
        try:
            plant(f"@RESULTS@/@TOKEN@-{number}")
        except OSError as error:
            print(error)
