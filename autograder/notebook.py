"""The address of `check` in released notebooks."""

from autograder.student.notebook_check import CannotCheck, CheckFailed, check

__all__ = ["CannotCheck", "CheckFailed", "check"]
