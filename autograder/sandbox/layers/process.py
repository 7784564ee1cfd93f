"""The layer that every child has: nothing inherited but what it needs."""

from __future__ import annotations

import os
from functools import partial

from autograder.sandbox.layers.base import Layer, Place, succeeds
from autograder.sandbox.layers.paths import environment

# By Python, for the locale, and by bubblewrap.
_SET_BY_OTHERS = {"LC_CTYPE", "PWD"}


class Process(Layer):
    """What every child is given by the process that forks it."""

    name = "process"
    stops = (
        "reading the grader's memory, files and environment; outliving the check; endless output"
    )

    def gaps(self, place: Place) -> list[str]:
        extra = sorted(os.environ.keys() - environment("") - _SET_BY_OTHERS)
        open_files = [one for one in range(3, 256) if succeeds(partial(os.fstat, one))]
        return [*extra, *(f"file descriptor {one}" for one in open_files)]
