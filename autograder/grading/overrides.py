"""Marks that a person changes: `overrides.csv` in the folder of results, read at every run.

    student,step,points,reason,who
    Jane Doe,scale_scores,1,the data set was ambiguous,Dr. Roe
    Jane Doe,question-1,3.5,,Dr. Roe

`student` is the name in the results, or one of the student's ids. `step` is a step or a question
that a person marks. This file is the only way to change a mark. The grader never writes it.
"""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.results import CheckResult, Outcome, Override, Result
from autograder.submission.table import parse_number, read_table
from autograder.text import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from autograder.submission.directory import Person

OVERRIDES_FILE = "overrides.csv"
COLUMNS = ("student", "step", "points", "reason", "who")
_TITLES = {"question": "step", "step or question": "step", "name": "student", "by": "who"}


@dataclass(frozen=True)
class Overrides:
    """The overrides of a folder, as they are written in the file.

    Attributes:
        entries: each with its line in the file. The student is as a person wrote it.
        questions: the points of each question that a person marks.
        sha256: the digest of the file; empty if there is none.
    """

    entries: tuple[tuple[int, Override], ...] = ()
    questions: Mapping[str, float] = field(default_factory=dict)
    sha256: str = ""

    def for_students(self, people: Mapping[str, Person]) -> AppliedOverrides:
        """Return the overrides by the students' names in the results.

        `people` are the students of the run. Raises UsageError if two entries are about one step of
        one student.
        """
        by_id: dict[str, set[str]] = {}
        for student, person in people.items():
            for name in (student, *person.ids.values(), person.email):
                by_id.setdefault(_key(name), set()).add(student)
        by_student: dict[str, list[Override]] = {}
        unknown: list[tuple[int, Override]] = []
        seen: dict[tuple[str, str], int] = {}
        for line, override in self.entries:
            written = _key(override.student)
            meant = [name for name in people if _key(name) == written] or [*by_id.get(written, ())]
            if len(meant) != 1:
                unknown.append((line, override))
                continue
            other = seen.setdefault((meant[0], override.step), line)
            if other != line:
                raise UsageError(
                    f"{OVERRIDES_FILE}, lines {other} and {line}: both change {override.step!r} of "
                    f"{meant[0]!r}. Delete one of them."
                )
            by_student.setdefault(meant[0], []).append(replace(override, student=meant[0]))
        found = {name: tuple(some) for name, some in by_student.items()}
        return AppliedOverrides(found, self.questions, tuple(unknown))


@dataclass(frozen=True)
class AppliedOverrides:
    """The overrides of each student of the run.

    Attributes:
        questions: the points of each question that a person marks.
        unknown: entries, with their lines, whose student is not in the run.
    """

    by_student: Mapping[str, tuple[Override, ...]] = field(default_factory=dict)
    questions: Mapping[str, float] = field(default_factory=dict)
    unknown: tuple[tuple[int, Override], ...] = ()

    def apply(self, result: Result) -> Result:
        """Return the result with the points that a person gave, and with no other overrides."""
        return override_result(
            without_overrides(result), self.by_student.get(result.student, ()), self.questions
        )


def override_result(
    result: Result, overrides: Iterable[Override], questions: Mapping[str, float]
) -> Result:
    """Return the result with these overrides. A question becomes one more check."""
    by_step = {override.step: override for override in overrides}
    checks = [
        replace(
            check,
            score=by_step[check.step].points,
            override=by_step[check.step],
            earned=check.score,
        )
        if check.step in by_step
        else check
        for check in result.checks
    ]
    for name, points in questions.items():
        if name in by_step:
            given = by_step[name]
            outcome = Outcome.PASSED if given.points == points else Outcome.WRONG
            checks.append(CheckResult(name, given.points, points, outcome, override=given))
    return replace(result, checks=tuple(checks)) if by_step else result


def without_overrides(result: Result) -> Result:
    """Return the result as the grader made it."""
    if not any(check.override for check in result.checks):
        return result
    checks = []
    for check in result.checks:
        if check.override is None:
            checks.append(check)
        elif check.earned is not None:  # a question has no points of the grader
            checks.append(replace(check, score=check.earned, override=None, earned=None))
    return replace(result, checks=tuple(checks))


def read_overrides(
    folder: Path, steps: Mapping[str, float], questions: Mapping[str, float]
) -> Overrides:
    """Read `overrides.csv`; a folder without it has no overrides.

    `steps` and `questions` are the points of each step and of each question. Raises UsageError, with
    the line, if the file has an invalid entry.
    """
    path = folder / OVERRIDES_FILE
    if not path.exists():
        return Overrides(questions=questions)
    digest = overrides_digest(folder)
    table = read_table(path)
    titles = [_TITLES.get(title, title) for title in table.titles]
    missing = [name for name in COLUMNS[:3] if name not in titles]
    if missing:
        raise UsageError(
            f"{path} has no column {missing[0]!r}. Its first line must be: {','.join(COLUMNS)}"
        )
    points = {**steps, **questions}
    entries = []
    for row in table.rows[1:]:
        cells = dict.fromkeys(COLUMNS, "") | dict(zip(titles, row.cells, strict=False))
        entries.append((row.line, _override(path, row.line, cells, points)))
    return Overrides(tuple(entries), questions, digest)


def overrides_digest(folder: Path) -> str:
    """Return the digest of `overrides.csv`; empty if the folder has none."""
    path = folder / OVERRIDES_FILE
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _override(
    path: Path, line: int, cells: Mapping[str, str], points: Mapping[str, float]
) -> Override:
    where = f"{path}, line {line}"
    if not cells["student"]:
        raise UsageError(f"{where}: the student is missing.")
    if cells["step"] not in points:
        hint = nearest(cells["step"], points)
        raise UsageError(f"{where}: there is no step {cells['step']!r}. {hint}")
    most = points[cells["step"]]
    given = parse_number(cells["points"])
    if given is None or not 0 <= given <= most:
        raise UsageError(
            f"{where}: {cells['points']!r} must be a number of points from 0 to {most:g}."
        )
    return Override(cells["student"], cells["step"], given, cells["reason"], cells["who"])


def _key(name: str) -> str:
    """Return a name as it is compared. A spreadsheet may hold it as `grades.csv` shows it."""
    return unicodedata.normalize("NFC", name).strip().removeprefix("'").casefold()
