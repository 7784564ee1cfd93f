"""A regular expression that tries two to the power of a hundred ways.

catalogue: 36
slow: yes
stopped_by: limits; the grader measures computing time
"""
import re


def init_weights(d_in, d_out, seed):
    return re.match(r"(a+)+$", "a" * 100 + "!")
