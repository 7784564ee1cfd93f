"""Makes another process the owner of its own pipe and asks for a signal of its choice when something can be read.

stopped_by: seccomp (commands of fcntl are listed); landlock; bubblewrap
stand_in: seccomp landlock bubblewrap
"""
import fcntl
import os
import signal
import time


def init_weights(d_in, d_out, seed):
    for target in (int("@PID@"), os.getppid()):
        for set_owner in (
            lambda end: fcntl.fcntl(end, fcntl.F_SETOWN, target),
            lambda end: fcntl.fcntl(end, 15, target.to_bytes(8, "little") if target < 0 else b"\1\0\0\0" + target.to_bytes(4, "little")),
        ):
            reader, writer = os.pipe()
            for command in (
                lambda: set_owner(reader),
                lambda: fcntl.fcntl(reader, 10, signal.SIGKILL),  # F_SETSIG
                lambda: fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC),
            ):
                try:
                    command()
                except OSError as error:
                    print(error)
            os.write(writer, b"!")
            time.sleep(0.02)
