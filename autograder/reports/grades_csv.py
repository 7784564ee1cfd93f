"""Write the class as `grades.csv`, one line for each student."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from autograder.results import steps_of
from autograder.text import harmless_cell, utf8

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.reports.graded_class import Entry
    from autograder.results import CheckResult, Result
    from autograder.submission.directory import Person

GRADES_FILE = "grades.csv"


def dump_grades(entries: Iterable[Entry]) -> bytes:
    """Return `grades.csv` as bytes: a header, then a line for each result, sorted by student.

    The columns are `student,assignment,score,max_score,status`, one for each step and each question that a person
    marks, `id,group,late` (days, or `yes` if no time is known), and the names of the steps that a person marked, if
    there are any. A check that nobody graded is empty: a 0 would be a mark.
    """
    entries = sorted(entries, key=lambda entry: entry.result.student)
    columns = steps_of(entry.result for entry in entries)
    rows = [_row(entry.result, entry.person, columns) for entry in entries]
    more = ["overrides"] if any(row[-1] for row in rows) else []
    first = ["student", "assignment", "score", "max_score", "status"]
    header = [*first, *columns, "id", "group", "late", *more]
    return csv_bytes([header, *(row[: len(header)] for row in rows)])


def _row(result: Result, person: Person, columns: Iterable[str]) -> list[str]:
    marks = {check.step: _mark(check) for check in result.checks}
    late = ["late"] if result.late and result.late.override else []
    by_hand = [check.step for check in result.checks if check.override]
    return [
        harmless_cell(result.student),
        result.assignment,
        f"{result.score:g}",
        f"{result.max_score:g}",
        result.status.value,
        *(marks.get(column, "") for column in columns),
        harmless_cell(person.main_id),
        harmless_cell(person.group),
        late_cell(result),
        " ".join([*by_hand, *late]),
    ]


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
    return "" if check.is_ungraded else f"{check.score:g}"
