"""Uses no computing time and does not come back either, whatever signal arrives.

catalogue: 36
slow: yes
stopped_by: the grader's clock
"""
import signal
import time

signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))


def init_weights(d_in, d_out, seed):
    while True:
        try:
            time.sleep(3600)
        except BaseException:
            pass
