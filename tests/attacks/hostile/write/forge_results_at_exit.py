"""Writes results when everything is over: at exit, in a finaliser, and in a thread that waits.

catalogue: 7 10 12
stopped_by: landlock; bubblewrap; the process is ended, not asked to exit
"""
import atexit
import os
import threading
import time
import weakref


def forge():
    for path in ("results.json", "grades.csv"):
        try:
            with open(os.path.join("@RESULTS@", path), "w") as file:
                file.write('{"score": 20}')
        except OSError:
            pass


def later():
    while True:
        time.sleep(0.05)
        forge()


atexit.register(forge)
atexit.register(lambda: os._exit(0))
threading._register_atexit(forge)
weakref.finalize(torch.Tensor, forge)
threading.Thread(target=later).start()


def init_weights(d_in, d_out, seed):
    forge()
