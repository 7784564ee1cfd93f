"""Reads what tells about the machine and its people: users, mounts, keys, logs, the host's name.

stopped_by: landlock; bubblewrap
stand_in: landlock bubblewrap
"""
import os

FILES = (
    "/etc/passwd",
    "/etc/shadow",
    "/etc/hosts",
    "/etc/hostname",
    "/etc/resolv.conf",
    "/etc/ssh/ssh_host_rsa_key",
    "/sys/class/net/lo/address",
    "/var/log/dpkg.log",
    "/var/lib/dpkg/status",
    "/run/utmp",
    "/root/.ssh/id_rsa",
    "/root/.netrc",
    "/root/.bash_history",
    "/root/.gitconfig",
    "/root/.pypirc",
)


def init_weights(d_in, d_out, seed):
    for path in (*FILES, os.path.expanduser("~root/.profile")):
        try:
            with open(path, "rb") as file:
                if file.read(16):
                    print("@DONE@"[::-1], path)
        except OSError:
            pass
