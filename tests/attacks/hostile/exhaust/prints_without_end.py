"""Prints for as long as it is let.

catalogue: 36
slow: yes
stopped_by: limits; what is printed is cut while it arrives
"""


def init_weights(d_in, d_out, seed):
    while True:
        print("x" * 100_000)
