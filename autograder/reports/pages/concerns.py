"""Submissions that need the instructor: rejected, stopped, or not started."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.reports.step_state import OPEN, state_of
from autograder.results import Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autograder.reports.pages.entries import Entry, Folder
    from autograder.submission.person import Person

_STOPPED = (Outcome.TIMED_OUT, Outcome.EXITED, Outcome.CRASHED, Outcome.TOO_LARGE)
_MOST_WORDS = 400


@dataclass(frozen=True)
class Concern:
    """A problem of some students.

    Attributes:
        name: identifies the problem on the page.
        title: what follows the number of students.
        details: a text for each student.
    """

    name: str
    title: str
    count: int
    entries: tuple[Entry, ...] = ()
    details: tuple[str, ...] = ()


def concerns(
    folders: Sequence[Folder], entries: Sequence[Entry], *, anonymous: bool
) -> list[Concern]:
    """Return the submissions that were rejected, not graded, stopped, not started, or not recognised."""
    every = [
        _concern("rejected", "rejected: nothing in it could be run", entries, _rejected),
        _concern("ungraded", "not graded: the grader failed", entries, _ungraded),
        _concern(
            "stopped",
            "stopped: a step took too long, ended the program or crashed",
            entries,
            _stopped,
        ),
        _concern("not-started", "not started: no step has any work in it", entries, _untouched),
        _concern("unnamed", "with a wrong step and no known mistake", entries, _unnamed),
    ]
    absent = [
        _name(person)
        for folder in folders
        if folder.record is not None
        for person in folder.record.absent
    ]
    unreadable = [name for folder in folders for name in folder.unreadable]
    gone = [name for folder in folders for name in folder.gone]
    every += [
        _named("unreadable", "with results that cannot be read: grade again", unreadable),
        _named("gone", "with results whose submission is gone: not in this report", gone),
        _named("absent", "on the roster, but nothing was handed in", absent),
    ]
    kept = [concern for concern in every if concern.count]
    return (
        [Concern(concern.name, concern.title, concern.count) for concern in kept]
        if anonymous
        else kept
    )


def _concern(
    name: str, title: str, entries: Sequence[Entry], describe: Callable[[Entry], str]
) -> Concern:
    pairs = [(entry, words) for entry in entries if (words := describe(entry))]
    who, details = (tuple(part) for part in zip(*pairs, strict=True)) if pairs else ((), ())
    return Concern(name, title, len(pairs), who, details)


def _named(name: str, title: str, students: Sequence[str]) -> Concern:
    each = tuple(dict.fromkeys(students))
    return Concern(name, title, len(each), details=each)


def _name(person: Person) -> str:
    return person.name or ", ".join(person.ids.values())


def _rejected(entry: Entry) -> str:
    return entry.result.output[:_MOST_WORDS] if entry.result.status is Status.REJECTED else ""


def _ungraded(entry: Entry) -> str:
    return "grade again" if entry.result.status is Status.UNGRADED else ""


def _stopped(entry: Entry) -> str:
    checks = [check for check in entry.result.checks if check.outcome in _STOPPED]
    return ", ".join(f"{check.step} ({state_of(check).words})" for check in checks)


def _untouched(entry: Entry) -> str:
    every = all(state_of(check).name in OPEN for check in entry.result.checks)
    return "all steps" if entry.is_graded and every else ""


def _unnamed(entry: Entry) -> str:
    checks = [
        check
        for check in entry.result.checks
        if check.outcome is Outcome.WRONG and not check.mistakes and entry.is_graded
    ]
    return ", ".join(check.step for check in checks)
