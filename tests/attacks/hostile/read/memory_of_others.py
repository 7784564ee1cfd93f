"""Reads the memory of the warm process and of the grader through /proc.

catalogue: 9 39
stopped_by: landlock; bubblewrap; user; no_new_privileges
"""
import os


def init_weights(d_in, d_out, seed):
    for number in (os.getppid(), int("@GRADER_PID@"), int("@PID@")):
        try:
            with open(f"/proc/{number}/maps") as maps, open(f"/proc/{number}/mem", "rb", 0) as memory:
                for line in maps:
                    start, end = (int(part, 16) for part in line.split()[0].split("-"))
                    memory.seek(start)
                    if memory.read(16):
                        print("@DONE@"[::-1], number)
                        break
        except (OSError, ValueError) as error:
            print(error)
