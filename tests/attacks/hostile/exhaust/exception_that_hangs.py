"""Raises an exception whose text takes for ever to make.

catalogue: 36
slow: yes
stopped_by: limits; texts are made within the step's time
"""


class Slow(Exception):
    def __str__(self):
        while True:
            pass


def init_weights(d_in, d_out, seed):
    raise Slow
