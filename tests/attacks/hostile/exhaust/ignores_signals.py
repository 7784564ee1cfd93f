"""Ignores and blocks every signal, and catches every exception, while it computes.

catalogue: 36
slow: yes
stopped_by: SIGKILL, which cannot be ignored
"""
import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def init_weights(d_in, d_out, seed):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
