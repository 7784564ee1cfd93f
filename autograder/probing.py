"""The address of `assignment.probes` in released checks."""

from autograder.assignment.probes import *  # noqa: F403
from autograder.assignment.probes.weights import *  # noqa: F403
