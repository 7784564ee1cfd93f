"""Starts threads in one step that go on computing, so that the steps that follow pay with their time.

catalogue: 38
slow: yes
stopped_by: limits; it costs the submission's own steps only
"""
import threading


def init_weights(d_in, d_out, seed):
    def compute():
        while True:
            sum(range(10_000))

    for _ in range(4):
        threading.Thread(target=compute, daemon=True).start()
    threading.Thread(target=compute).start()
    while True:
        pass
