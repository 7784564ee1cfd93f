"""Starts threads until none can be started.

catalogue: 36
stopped_by: limits
"""
import threading


def init_weights(d_in, d_out, seed):
    wait = threading.Event()
    for number in range(5000):
        threading.Thread(target=wait.wait, daemon=True).start()
