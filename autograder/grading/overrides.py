"""Marks that a person changes: `overrides.csv` in the folder of results, read at every run and by every view.

    student,step,points,reason,who
    Jane Doe,scale_scores,1,the data set was ambiguous,Dr. Roe
    Jane Doe,question-1,3.5,,Dr. Roe
    Jane Doe,late,0,ill,Dr. Roe

`student` is the name in the results, an id, an e-mail address, or a name that nobody else has; a line for anybody else
is not applied. `step` is a step, a question that a person marks, or `late`: what it changes the score by to be late, 0
or less. Points above the maximum are a bonus. This file is the only way to change a mark. The grader never writes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.results import CheckResult, Late, Outcome, Override, Result
from autograder.submission.directory import Called
from autograder.submission.table import parse_number, read_table
from autograder.text import nearest, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from autograder.submission.directory import Person
    from autograder.submission.table import Row, Table

OVERRIDES_FILE = "overrides.csv"
LATE = "late"
COLUMNS = ("student", "step", "points", "reason", "who")


@dataclass(frozen=True)
class Overrides:
    """The overrides of a folder, as they are written in the file.

    Attributes:
        entries: each with its line in the file. The student is as a person wrote it.
        steps, questions: the points of each step, and of each question that a person marks.
    """

    entries: tuple[tuple[int, Override], ...] = ()
    steps: Mapping[str, float] = field(default_factory=dict)
    questions: Mapping[str, float] = field(default_factory=dict)

    def for_students(self, people: Mapping[str, Person]) -> AppliedOverrides:
        """Return the overrides by the students' names in the results.

        `people` are the students of the run. Raises UsageError if two entries are about one step of
        one student.
        """
        called = Called(people.items())
        most = {**self.steps, **self.questions}
        by_student: dict[str, dict[str, tuple[int, Override]]] = {}
        notes, problems = [], []
        for line, override in self.entries:
            points, step = override.points, override.step
            if points > most.get(step, points):
                words = f"{points:g} points for {step!r}, which has {most[step]:g}: the rest is a bonus."
                notes.append(f"{OVERRIDES_FILE}, line {line}: {words}")
            meant = called.find(override.student)
            if len(meant) != 1:
                words = _nobody(override.student, meant, called)
                notes.append(f"{OVERRIDES_FILE}, line {line}: {words} It is not applied.")
                continue
            [student] = meant
            own = by_student.setdefault(student, {})
            other, _ = own.setdefault(step, (line, replace(override, student=student)))
            if other != line:
                problems.append(
                    f"{OVERRIDES_FILE}, lines {other} and {line}: both change {step!r} of {student!r}. "
                    "Delete one of them."
                )
        _refuse(problems)
        found = {name: tuple(one for _, one in own.values()) for name, own in by_student.items()}
        marked = {step for own in by_student.values() for step in own}
        questions = {name: points for name, points in self.questions.items() if name in marked}
        return AppliedOverrides(found, questions, tuple(notes))


@dataclass(frozen=True)
class AppliedOverrides:
    """The overrides of each student of the run.

    Attributes:
        questions: the points of each question that a person marked for anybody.
        notes: remarks on lines of the file: bonuses, and lines whose student is not in the run.
    """

    by_student: Mapping[str, tuple[Override, ...]] = field(default_factory=dict)
    questions: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def apply(self, result: Result, late: Late | None = None) -> Result:
        """Return the grader's result with what a person gave, the questions and what it costs to be late."""
        return self.add(replace(without_overrides(result), late=late))

    def add(self, result: Result) -> Result:
        """Return a result with these overrides and questions. Earlier overrides stay where there is no new one."""
        overrides = self.by_student.get(result.student, ())
        if not (overrides or self.questions or result.late):
            return result
        return override_result(result, overrides, self.questions)


def override_result(
    result: Result, overrides: Iterable[Override], questions: Mapping[str, float]
) -> Result:
    """Return the result with these overrides. Each question becomes one more check, also without a mark."""
    by_step = {override.step: override for override in overrides}
    own = {check.step for check in result.checks}
    more = [
        CheckResult(name, 0.0, points, Outcome.UNGRADED, is_question=True)
        for name, points in questions.items()
        if name not in own
    ]
    checks = [
        _given(check, by_step[check.step]) if check.step in by_step else check
        for check in (*result.checks, *more)
    ]
    return late_anew(replace(result, checks=tuple(checks)), by_step.get(LATE))


def _given(check: CheckResult, override: Override) -> CheckResult:
    """Return a check with the points of a person. `earned` stays what the grader gave."""
    check = replace(check, score=override.points, override=override, earned=check.judged_score)
    if not check.is_question:
        return check
    is_full = check.score >= check.max_score
    return replace(check, earned=None, outcome=Outcome.PASSED if is_full else Outcome.WRONG)


def _late(earned: float, late: Late | None, given: Override | None) -> Late | None:
    """Return what it costs to be late. It never costs more than was earned."""
    if given is not None:
        return replace(late or Late(), points=max(given.points, -earned), override=given)
    return late and replace(late, points=-round(earned * late.percent / 100, 4) or 0.0)


def late_anew(result: Result, given: Override | None = None) -> Result:
    """Return a result whose checks were changed, with what it costs to be late now: what a person gave, if so."""
    given = given or (result.late.override if result.late else None)
    return replace(result, late=_late(result.earned, result.late, given))


def without_overrides(result: Result) -> Result:
    """Return the result as the grader made it: without overrides, questions, and what it costs to be late."""
    if not (result.late or any(check.override or check.is_question for check in result.checks)):
        return result
    checks = [
        replace(check, score=check.judged_score, override=None, earned=None)
        for check in result.checks
        if not check.is_question
    ]
    return replace(result, checks=tuple(checks), late=None)


def read_overrides(
    folder: Path, steps: Mapping[str, float], questions: Mapping[str, float]
) -> Overrides:
    """Read `overrides.csv`; a folder without it has no overrides.

    `steps` and `questions` are the points of each step and of each question. Raises UsageError, with
    every line that is invalid.
    """
    path = folder / OVERRIDES_FILE
    if not path.exists():
        return Overrides((), steps, questions)
    table = read_table(path)
    missing = [name for name in COLUMNS[:3] if name not in table.titles]
    if missing:
        raise UsageError(
            f"{path} has no column {missing[0]!r}. Its first line must be: {','.join(COLUMNS)}"
        )
    entries, problems = [], []
    for row in table.rows[1:]:
        try:
            entries.append((row.line, _override(table, row, [*steps, *questions, LATE])))
        except ValueError as error:
            problems.append(f"{path}, line {row.line}: {error}")
    _refuse(problems)
    return Overrides(tuple(entries), steps, questions)


def _nobody(words: str, meant: Sequence[str], called: Called) -> str:
    """Say why a line's student is not exactly one of the run, and who may be meant."""
    if meant:
        return f"{one_line(words)!r} may be {' or '.join(map(one_line, meant))}. Write the id."
    near = called.near(words)
    more = f" Did you mean {' or '.join(map(one_line, near))}?" if near else ""
    return f"there is no student {one_line(words)!r}.{more}"


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        raise UsageError("\n".join(problems))


def _override(table: Table, row: Row, steps: Sequence[str]) -> Override:
    """Return the override in a line. Raises ValueError, which says what is wrong with it."""
    cells = dict.fromkeys(COLUMNS, "") | dict(zip(table.titles, row.cells, strict=False))
    student, step, written, reason, who = (cells[name] for name in COLUMNS)
    # A comma between the digits of `0,5` would be the end of a cell, and the mark another one.
    if any(row.cells[len(table.heads) :]) or (
        table.delimiter == "," and written.isdecimal() and reason.isdecimal()
    ):
        raise ValueError(
            f'it may have been cut at a decimal comma, after {written!r}. Write 0.5 or "0,5", and a reason that is '
            "no number."
        )
    if not student:
        raise ValueError("the student is missing.")
    if step not in steps:
        raise ValueError(f"there is no step {step!r}. {nearest(step, steps)}")
    points, sign, range_ = parse_number(written), 1, "0 or more"
    if step == LATE:
        sign, range_ = -1, "0 or less"
    if points is None or not points * sign >= 0:
        raise ValueError(f"{written!r} must be a number of points, {range_}.")
    return Override(student, step, points, reason, who)
