"""Leaves a file in each place where anybody may leave one.

catalogue: 38
stopped_by: landlock; bubblewrap; mounts
stand_in: landlock bubblewrap mounts
"""
import os

PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/var/crash", "/var/spool/cron",
          "/etc/cron.d", "@RESULTS@", "/sys/fs/cgroup", ".", "..", "~", "~/.config", "~/.local")


def init_weights(d_in, d_out, seed):
    for place in PLACES:
        try:
            open(os.path.join(os.path.expanduser(place), "@TOKEN@"), "x").close()
        except OSError as error:
            print(error)
        else:
            print("@DONE@"[::-1], place)
