"""Opens its own switches in /proc for writing: its memory below all protection, its name, its place when memory is short.

catalogue: 39
stopped_by: landlock; mounts
only_with: landlock
stand_in: landlock bubblewrap no_new_privileges mounts
"""
import os

NAMES = ("oom_score_adj", "coredump_filter", "clear_refs", "mem", "uid_map", "attr/current", "comm", "timerslack_ns")


def init_weights(d_in, d_out, seed):
    for name in NAMES:
        try:
            os.close(os.open(f"/proc/self/{name}", os.O_WRONLY))  # opened, and nothing written
        except OSError as error:
            print(error)
        else:
            print("@DONE@"[::-1], name)
