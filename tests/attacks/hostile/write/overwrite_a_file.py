"""Overwrites a file of the same user's.

catalogue: 11
stopped_by: landlock; bubblewrap; mounts
stand_in: landlock bubblewrap mounts
"""


def init_weights(d_in, d_out, seed):
    with open("@VICTIM_FILE@", "a") as file:
        file.write("it was here\n")
