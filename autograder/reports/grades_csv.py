"""Write the class as `grades.csv`, one line for each student."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from autograder.results import Outcome
from autograder.submission.directory import NOBODY, Person
from autograder.text import harmless_cell, utf8

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.results import CheckResult, Result

GRADES_FILE = "grades.csv"


class GradesTable:
    """The table of a class, kept up to date while results arrive.

    The columns are `student,assignment,score,max_score,status`, one for each step, one for each
    question that a person marks, `id,group,late` (days, or `yes` if no time is known), and with `overrides` the names
    of the steps that a person marked. A check that nobody graded is empty: a 0 would be a mark.
    """

    def __init__(
        self, steps: Iterable[str], questions: Iterable[str] = (), *, overrides: bool = False
    ) -> None:
        self._columns = (*steps, *questions)
        self._overrides = overrides
        self._lines: dict[str, bytes] = {}

    def add(self, result: Result, person: Person = NOBODY) -> None:
        """Add the result of a student, or replace it."""
        self._lines[result.student] = csv_bytes([self._row(result, person)])

    def dump(self, more: tuple[Result, Person] | None = None) -> bytes:
        """Return `grades.csv` as bytes: a header, then a line for each result, sorted by student.

        `more` is a result that is not added.
        """
        lines = self._lines
        if more is not None:
            lines = lines | {more[0].student: csv_bytes([self._row(*more)])}
        extra = ("id", "group", "late", *(("overrides",) if self._overrides else ()))
        header = ("student", "assignment", "score", "max_score", "status", *self._columns, *extra)
        return b"".join([csv_bytes([header]), *(lines[name] for name in sorted(lines))])

    def _row(self, result: Result, person: Person) -> list[str]:
        marks = {check.step: _mark(check) for check in result.checks}
        row = [
            harmless_cell(result.student),
            result.assignment,
            f"{result.score:g}",
            f"{result.max_score:g}",
            result.status.value,
            *(marks.get(column, "") for column in self._columns),
            harmless_cell(person.main_id),
            harmless_cell(person.group),
            late_cell(result),
        ]
        if self._overrides:
            late = ["late"] if result.late and result.late.override else []
            by_hand = [check.step for check in result.checks if check.override]
            row.append(" ".join([*by_hand, *late]))
        return row


def late_cell(result: Result) -> str:
    """Return the days that a submission is late, `yes` if no time is known, or nothing."""
    late = result.late
    return str(late.days or "yes") if late and late.is_known else ""


def csv_bytes(rows: Iterable[Iterable[str]]) -> bytes:
    """Return the rows as CSV in UTF-8. Half surrogate pairs, which it cannot hold, become escapes."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return utf8(text.getvalue())


def _mark(check: CheckResult) -> str:
    is_open = check.outcome is Outcome.UNGRADED and check.override is None
    return "" if is_open else f"{check.score:g}"
