"""Opens the kit's own files for writing: the grader itself runs them next time.

catalogue: 4 11
stopped_by: landlock; bubblewrap
"""
import sys
import glob
import os

autograder = sys.modules["autograder"]


def init_weights(d_in, d_out, seed):
    kit = os.path.dirname(autograder.__file__)
    for path in glob.glob(f"{kit}/*.py") + glob.glob(f"{kit}/__pycache__/*") + glob.glob(f"{kit}/sandbox/inside/*.py"):
        try:
            with open(path, "r+b"):  # opened, and nothing changed: what counts is that it was possible
                print("@DONE@"[::-1], path)
        except OSError:
            pass
    print("tried")
