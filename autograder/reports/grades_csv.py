"""Write the class as `grades.csv`, one line for each student."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from autograder.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.results import CheckResult, Result

GRADES_FILE = "grades.csv"

# A spreadsheet reads a cell that starts like this as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def dump_grades(results: Iterable[Result], steps: Iterable[str]) -> bytes:
    """Return `grades.csv` as bytes: a header, then a line for each result, sorted by student.

    A check that the grader failed to grade is empty: a 0 would be a mark.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["student", "assignment", "score", "max_score", "status", *steps])
    for result in sorted(results, key=lambda one: one.student):
        writer.writerow(
            [
                _harmless(result.student),
                result.assignment,
                f"{result.score:g}",
                f"{result.max_score:g}",
                result.status.value,
                *(_mark(check) for check in result.checks),
            ]
        )
    return text.getvalue().encode("utf-8", "backslashreplace")


def _mark(check: CheckResult) -> str:
    return "" if check.outcome is Outcome.UNGRADED else f"{check.score:g}"


def _harmless(name: str) -> str:
    return f"'{name}" if name.startswith(_FORMULA) else name
