"""Sessions in this process, for tests and benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.sandbox.in_process import InProcessSession

if TYPE_CHECKING:
    from autograder.exam.questions import Exam

__all__ = ["InProcessSession", "open_in_process"]


def open_in_process(exam: Exam, source: str) -> InProcessSession:
    """Return a session for this source, loaded in this process."""
    return InProcessSession(exam, ((f"{exam.assignment.name}.py", source),))
