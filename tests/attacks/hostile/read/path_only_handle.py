"""Opens a file only as a place (O_PATH), which file rules let through, and then opens that place for reading.

stopped_by: landlock (checks the second opening); bubblewrap
"""
import os


def init_weights(d_in, d_out, seed):
    for path in ("@SECRET_FILE@", "@NEIGHBOUR@", os.path.dirname("@SECRET_FILE@"), "/"):
        try:
            place = os.open(path, os.O_PATH)
        except OSError as error:
            print(error)
            continue
        for way in (f"/proc/self/fd/{place}", f"/dev/fd/{place}", f"/proc/thread-self/fd/{place}"):
            try:
                print(open(way).read())
            except OSError as error:
                print(error)
        for open_again in (
            lambda place=place: os.open("", os.O_RDONLY, dir_fd=place),
            lambda place=place: os.open(os.path.basename("@SECRET_FILE@"), os.O_RDONLY, dir_fd=place),
            lambda place=place: os.listdir(place),
        ):
            try:
                print("@DONE@"[::-1], open_again())
            except (OSError, TypeError) as error:
                print(error)
