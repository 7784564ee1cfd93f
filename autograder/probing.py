"""The address of `assignment.probes` in released checks."""

from autograder.assignment.probes import *  # noqa: F403
