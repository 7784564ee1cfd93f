"""One call into C that takes hours and looks at no signal meanwhile.

catalogue: 36
slow: yes
stopped_by: limits; the grader measures computing time
"""


def init_weights(d_in, d_out, seed):
    return sum(range(10**12))
