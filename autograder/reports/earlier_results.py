"""Summaries of the results that earlier runs left in a folder: the results themselves may be large."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.grading.overrides import AppliedOverrides
from autograder.reasons import Reason
from autograder.reports.gradescope_json import RESULTS_FILE, parse_results
from autograder.results import Outcome, Result, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.reports.class_record import Member
    from autograder.results import CheckResult


@dataclass(frozen=True, slots=True)
class EarlierResult:
    """A `results.json` that an earlier run wrote.

    Attributes:
        sha256: the digest of the file.
        mistakes: the names of all mistakes in it.
        timed_out: the limit on CPU time stopped a check.
        out_of_memory: the limit on memory stopped a check, or may have ended its process.
    """

    student: str
    assignment: str
    run: str
    status: Status
    submission_sha256: str
    sha256: str
    mistakes: frozenset[str]
    timed_out: bool
    out_of_memory: bool

    def stopped_by(self, timeout: bool, memory: bool) -> bool:
        """Return whether one of these limits stopped a check."""
        return (timeout and self.timed_out) or (memory and self.out_of_memory)


@dataclass(frozen=True)
class Beginning:
    """The state of the folder when a run begins.

    Attributes:
        withdrawn: students with a result whose submission is gone; they leave `grades.csv`.
        edited: students whose `results.json` was changed by hand.
        limited: students who are graded again because other limits stopped them.
        elsewhere: students whose submission is in another PATH; their results stay.
        roster: the roster of the last run, if this run has none.
        overrides: the overrides by student, and those of unknown students.
        has_results: the folder holds a result of the class.
    """

    withdrawn: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    limited: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    roster: str | None = None
    overrides: AppliedOverrides = field(default_factory=AppliedOverrides)
    has_results: bool = False


def load_earlier(folder: Path) -> Iterator[tuple[EarlierResult, Result]]:
    """Yield each readable result of the folder, sorted by student."""
    for name in sorted(os.listdir(folder)) if folder.is_dir() else ():  # noqa: PTH208 - texts take less memory
        path = folder / name / RESULTS_FILE
        if not os.path.exists(path):  # noqa: PTH110 - False where it may not be looked for
            continue
        data = path.read_bytes()
        result = parse_results(data)
        if result is not None and result.student == name:
            yield _summary(result, data), result


def _summary(result: Result, data: bytes) -> EarlierResult:
    return EarlierResult(
        student=result.student,
        assignment=result.assignment,
        run=result.run,
        status=result.status,
        submission_sha256=result.submission_sha256,
        sha256=hashlib.sha256(data).hexdigest(),
        mistakes=frozenset(name for check in result.checks for name in check.mistakes),
        timed_out=any(check.outcome is Outcome.TIMED_OUT for check in result.checks),
        out_of_memory=any(map(_out_of_memory, result.checks)),
    )


def _out_of_memory(check: CheckResult) -> bool:
    if check.outcome is Outcome.CRASHED:
        return True
    feedback = [check.feedback, *check.feedback.also] if check.feedback else []
    return any(Reason.OUT_OF_MEMORY in explained.reasons for explained in feedback if explained)


def is_gone(member: Member, given: set[str], folder: Path) -> bool:
    """Return whether a student's submission was removed.

    It was removed if its PATH is graded again without it, or if its file no longer exists. A
    submission in another PATH that still exists is not gone. All paths are relative to `folder`.
    """
    path = folder / member.path
    exists = path.exists() or any(parent.is_file() for parent in path.parents)  # in an archive
    return member.given in given or not exists


def relative(path: str, folder: Path) -> str:
    """Return a path relative to the folder of results, so that both may be moved together."""
    try:
        return Path(os.path.relpath(path, folder.absolute())).as_posix()
    except ValueError:  # on another drive
        return path
