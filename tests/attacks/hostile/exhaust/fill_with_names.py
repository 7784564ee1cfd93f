"""Makes thousands of empty files and folders within folders, to use up names and to make cleaning up slow.

catalogue: 36
stopped_by: landlock; bubblewrap; seccomp (no folders)
"""
import os


def init_weights(d_in, d_out, seed):
    made = 0
    for place in ("/tmp", "/dev/shm", "@RESULTS@", ".", ".."):
        try:
            os.chdir(place)
            for number in range(2000):
                os.mkdir("@TOKEN@")
                made += 1
                os.chdir("@TOKEN@")
        except OSError as error:
            print(error)
        try:
            for number in range(2000):
                open(f"@TOKEN@-{number}", "x").close()
                made += 1
        except OSError as error:
            print(error)
    if made:
        print("@DONE@"[::-1], made)
