"""Changes another process's limits, so that the kernel ends it: prlimit works on any process of the same user.

stopped_by: seccomp (only one's own limits may be asked for); bubblewrap; user; mounts
stand_in: seccomp bubblewrap mounts
"""
import os
import resource


def init_weights(d_in, d_out, seed):
    for target in (int("@PID@"), int("@GRADER_PID@"), os.getppid()):
        try:
            soft, hard = resource.prlimit(target, resource.RLIMIT_NOFILE)
            print("limits read")
            if target == int("@PID@"):
                resource.prlimit(target, resource.RLIMIT_NOFILE, (100, hard))
            else:
                resource.prlimit(target, resource.RLIMIT_NOFILE, (soft, hard))  # the same ones
            print("@DONE@"[::-1], target)
        except OSError as error:
            print(error)
