"""Asks for the computing time of other processes: who works how long, and which numbers processes have.

stopped_by: seccomp (clocks are listed); bubblewrap
stand_in: seccomp bubblewrap
"""
import os
import time


def init_weights(d_in, d_out, seed):
    for pid in (int("@PID@"), int("@GRADER_PID@"), os.getppid()):
        try:
            used = time.clock_gettime(~pid << 3 | 2)  # what clock_getcpuclockid(pid) makes of it
            time.clock_getres(~pid << 3 | 2)
            print("@DONE@"[::-1], pid, used)
        except OSError as error:
            print(error)
