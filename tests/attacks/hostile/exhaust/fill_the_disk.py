"""Writes until the disk is full, wherever it can.

catalogue: 36
stopped_by: landlock; bubblewrap (a small folder of its own, not writable for student code); limits (size of a file)
"""
import os


def init_weights(d_in, d_out, seed):
    block, written = b"\0" * (1 << 20), 0
    for place in ("/tmp", "/var/tmp", "/dev/shm", "@RESULTS@", ".", "..", os.path.expanduser("~")):
        for number in range(300):
            try:
                with open(f"{place}/@TOKEN@-{number}", "wb") as file:
                    file.write(block)
                written += 1
            except OSError as error:
                print(error)
                break
    if written:
        print("@DONE@"[::-1], written, "MB")
