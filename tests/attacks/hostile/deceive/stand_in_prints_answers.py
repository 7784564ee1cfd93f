"""Prints what stand-ins answer, to standard output, to errors, and as warnings.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what is printed with right answers stays with the grader
"""

import sys
import warnings


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        scaled = scale_scores(x, 4)
        print(scaled.tolist())
        print(scaled.tolist(), file=sys.stderr)
        warnings.warn(str(scaled.tolist()), stacklevel=1)
        return scaled
