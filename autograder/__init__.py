"""Exercises and an autograder that observes, compares and explains.

This module has the names that an assignment's own files import. Each is loaded on first use, so a command or a worker
loads only what it needs. The packages, top to bottom; each imports only packages below it:

    cli, commands/    the command line                    student/       pytest and check(), on a student's machine
    nbgrader/         the same grader in nbgrader         release/       from the source to what students get
    reports/          views of a result                   grading/       from submissions to results
    explain/          why an answer is wrong              sandbox/       where a student's code runs
    submission/       what was handed in, only read       exam/          the questions of a run and their answers
    assignment/       what an author writes               compare        right or wrong
    results           the records of a run                values/        plain data that crosses the trust boundary
    python_source     statements and names of Python      testing        graders for tests and measurements
    errors, text, files, no_warnings                      small helpers
    probing, notebook                                     addresses that released files import
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.assignment.cases import corner, documented, drawn
    from autograder.assignment.checks import alternative, check, criterion, fallback, remark
    from autograder.assignment.mistakes import mistake, shared_mistake
    from autograder.compare import Right
    from autograder.values.values import printed

__version__ = "0.3.0"

__all__ = [
    "Right",
    "__version__",
    "alternative",
    "check",
    "corner",
    "criterion",
    "documented",
    "drawn",
    "fallback",
    "mistake",
    "printed",
    "remark",
    "shared_mistake",
]

_FROM = {
    "Right": ("compare", "Right"),
    "alternative": ("assignment.checks", "alternative"),
    "check": ("assignment.checks", "check"),
    "corner": ("assignment.cases", "corner"),
    "criterion": ("assignment.checks", "criterion"),
    "documented": ("assignment.cases", "documented"),
    "drawn": ("assignment.cases", "drawn"),
    "fallback": ("assignment.checks", "fallback"),
    "mistake": ("assignment.mistakes", "mistake"),
    "printed": ("values.values", "printed"),
    "remark": ("assignment.checks", "remark"),
    "shared_mistake": ("assignment.mistakes", "shared_mistake"),
}

if not TYPE_CHECKING:  # with this function, a type checker would accept every name

    def __getattr__(name: str) -> object:
        """Load a public name on first use."""
        if name not in _FROM:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, attribute = _FROM[name]
        found = getattr(import_module(f"{__name__}.{module}"), attribute)
        globals()[name] = found
        return found
