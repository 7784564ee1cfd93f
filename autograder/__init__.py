"""Exercises and an autograder that observes, compares and explains.

The spine, one direction:

    assignment   what one exercise set consists of          submission   what a student handed in, only read
    checks       how a step is judged: probes and points    cases        the inputs that a probe gets
    exam         the questions of one run, with their right answers
    sandbox/     where the student's code runs              values       the plain data that comes back
    compare      right or wrong                             explain      why, in the tutor's words
    grade        one submission -> one result               batch        many of them
    reports/     views of results
"""

from autograder.checks import alternative, aspect, check, remark

__version__ = "0.1.0"

__all__ = ["__version__", "alternative", "aspect", "check", "remark"]
