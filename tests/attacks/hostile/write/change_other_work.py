"""Spoils another student's file, and its own after it was read.

catalogue: 22
stopped_by: landlock; bubblewrap
"""
import os


def init_weights(d_in, d_out, seed):
    for change in (
        lambda: open("@NEIGHBOUR@", "r+").close() or open("@NEIGHBOUR@", "w").write("raise SystemExit\n"),
        lambda: os.truncate("@NEIGHBOUR@", 0),
        lambda: os.unlink("@NEIGHBOUR@"),
        lambda: os.rename("@NEIGHBOUR@", "@NEIGHBOUR@.@TOKEN@"),
        lambda: os.replace("@VICTIM_FILE@", "@NEIGHBOUR@"),
        lambda: os.rmdir(os.path.dirname("@NEIGHBOUR@")),
    ):
        try:
            change()
        except OSError as error:
            print(error)
