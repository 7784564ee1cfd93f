"""The layer that every child has: it inherits only what it needs."""

from __future__ import annotations

import os
from functools import partial

from autograder.sandbox.layers.base import Layer, WorkerLimits, succeeds
from autograder.sandbox.layers.paths import environment

# Set by Python, for the locale, and by bubblewrap.
_SET_BY_OTHERS = {"LC_CTYPE", "PWD"}


class Process(Layer):
    """A new process: its own memory, an environment and file descriptors of its own."""

    name = "process"
    stops = (
        "reading the grader's memory, files and environment; outliving the check; endless output"
    )

    def not_stopped(self, limits: WorkerLimits) -> list[str]:
        extra = sorted(os.environ.keys() - environment("") - _SET_BY_OTHERS)
        open_files = [
            descriptor for descriptor in range(3, 256) if succeeds(partial(os.fstat, descriptor))
        ]
        return [*extra, *(f"file descriptor {descriptor}" for descriptor in open_files)]
