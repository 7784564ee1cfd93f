"""Functions that tests call in grading processes. These import this module, and so no test."""

from __future__ import annotations

from autograder.errors import UsageError


def fail() -> None:
    raise ZeroDivisionError("by nothing")


def refuse() -> None:
    raise UsageError("not like this")
