"""Reads what the kernel tells about the machine: its mounts, its start, its connections.

stopped_by: landlock (a mount of its own shows the kernel's tables too); mounts
only_with: landlock
stand_in: landlock bubblewrap mounts
"""


def init_weights(d_in, d_out, seed):
    for name in ("mounts", "net/tcp", "kallsyms", "version", "cmdline", "meminfo", "modules", "self/status"):
        try:
            with open(f"/proc/{name}", "rb") as file:
                if file.read(16):
                    print("@DONE@"[::-1], name)
        except OSError as error:
            print(error)
