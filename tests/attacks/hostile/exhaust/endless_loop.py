"""Never comes back.

catalogue: 36
slow: yes
stopped_by: limits; the grader measures computing time
"""


def init_weights(d_in, d_out, seed):
    while True:
        pass
