"""The address of `check` in released notebooks."""

from autograder.student.notebook import CannotCheck, CheckFailed, check

__all__ = ["CannotCheck", "CheckFailed", "check"]
