"""Lists all processes with their command lines.

catalogue: 9
stopped_by: landlock; bubblewrap; mounts
stand_in: landlock bubblewrap mounts
"""
import os


def init_weights(d_in, d_out, seed):
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError as error:
        print(error)
        numbers = range(1, 500)
    for number in {*numbers, int("@GRADER_PID@"), int("@PID@")}:
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                words = file.read()
        except OSError:
            continue
        if number in (int("@GRADER_PID@"), int("@PID@")) and words:
            print("@DONE@"[::-1], words)
