"""Reads a file that the same user may read.

catalogue: 19
stopped_by: landlock; bubblewrap
stand_in: landlock bubblewrap
"""


def init_weights(d_in, d_out, seed):
    print(open("@SECRET_FILE@").read())
