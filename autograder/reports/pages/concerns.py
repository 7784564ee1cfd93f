"""What an instructor looks at: submissions that were rejected or stopped, and submissions that are the same."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.reports.step_state import state_of
from autograder.results import Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from autograder.reports.graded_class import Entry, GradedClass

_STOPPED = (Outcome.TIMED_OUT, Outcome.EXITED, Outcome.CRASHED, Outcome.TOO_LARGE)
_UNTOUCHED = (Outcome.NOT_STARTED, Outcome.MISSING)
_MOST_WORDS = 400
# Two short steps are often written alike by chance.
FEWEST_STEPS = 2


@dataclass(frozen=True)
class Concern:
    """A problem of some students.

    Attributes:
        name: identifies the problem on the page.
        title: what follows the number of students.
        students: the students with a text for each, or a name alone where there is no result.
    """

    name: str
    title: str
    students: tuple[tuple[Entry | None, str], ...]

    @property
    def count(self) -> int:
        """The number of students."""
        return len(self.students)


def concerns(folders: Sequence[GradedClass], entries: Sequence[Entry]) -> list[Concern]:
    """Return the submissions that were rejected, not graded, stopped, not started, or not recognised."""
    found = [
        Concern(
            name, title, tuple((entry, words) for entry in entries if (words := describe(entry)))
        )
        for name, title, describe in _OF_AN_ENTRY
    ]
    absent = [
        person.name or ", ".join(person.ids.values())
        for folder in folders
        for person in folder.absent
    ]
    unreadable = [name for folder in folders for name in folder.unreadable]
    gone = [name for folder in folders for name in folder.gone]
    found += [
        Concern(name, title, tuple((None, student) for student in dict.fromkeys(students)))
        for name, title, students in (
            ("unreadable", "with results that cannot be read: grade again", unreadable),
            ("gone", "with results whose submission is gone: not in this report", gone),
            ("absent", "on the roster, but nothing was handed in", absent),
        )
    ]
    return [concern for concern in found if concern.count]


def _rejected(entry: Entry) -> str:
    return entry.result.output[:_MOST_WORDS] if entry.result.status is Status.REJECTED else ""


def _ungraded(entry: Entry) -> str:
    return "grade again" if entry.result.status is Status.UNGRADED else ""


def _stopped(entry: Entry) -> str:
    checks = [check for check in entry.result.checks if check.outcome in _STOPPED]
    return ", ".join(f"{check.step} ({state_of(check).words})" for check in checks)


def _untouched(entry: Entry) -> str:
    every = all(state_of(check).is_open for check in entry.result.checks)
    return "all steps" if entry.is_graded and every else ""


def _unnamed(entry: Entry) -> str:
    checks = [
        check
        for check in entry.result.checks
        if check.outcome is Outcome.WRONG and not check.mistakes and entry.is_graded
    ]
    return ", ".join(check.step for check in checks)


# The name and the title of a concern, and what is said of a student who has it.
_OF_AN_ENTRY = (
    ("rejected", "rejected: nothing in it could be run", _rejected),
    ("ungraded", "not graded: the grader failed", _ungraded),
    ("stopped", "stopped: a step took too long, ended the program or crashed", _stopped),
    ("not-started", "not started: no step has any work in it", _untouched),
    ("unnamed", "with a wrong step and no known mistake", _unnamed),
)


@dataclass(frozen=True)
class Alike:
    """Students whose steps are all the same after normalising names and formatting: a hint, not a verdict.

    Attributes:
        entries: the students.
        steps: all steps that they worked on.
        own: the steps that nobody else in the class wrote in this way.
        lines: the number of lines in `own`.
        verbatim: whether the text of `own` is the same too, with its names and comments.
        mistakes: the mistakes that all of them make.
    """

    entries: tuple[Entry, ...]
    steps: tuple[str, ...]
    own: tuple[str, ...]
    lines: int
    verbatim: bool
    mistakes: tuple[str, ...]


def alike_groups(entries: Iterable[Entry]) -> tuple[list[Alike], int]:
    """Return the groups that share a step which no one else wrote in the same way, the most common lines first.

    Return also how many submissions equal another one only in steps that others wrote too.
    """
    by_work: dict[tuple[tuple[str, str], ...], list[Entry]] = defaultdict(list)
    writers: dict[tuple[str, str], int] = defaultdict(int)
    for entry in entries:
        work = _work(entry)
        for step in work:
            writers[step] += 1
        if len(work) >= FEWEST_STEPS:
            by_work[work].append(entry)
    same = [
        _group(work, group_entries, writers)
        for work, group_entries in by_work.items()
        if len(group_entries) > 1
    ]
    groups = sorted((group for group in same if group.own), key=lambda group: -group.lines)
    return groups, sum(len(group.entries) for group in same if not group.own)


def _work(entry: Entry) -> tuple[tuple[str, str], ...]:
    """Return the fingerprint of each step on which the student worked."""
    untouched = {check.step for check in entry.result.checks if check.outcome in _UNTOUCHED}
    steps = entry.member.steps if entry.member else {}
    return tuple((step, one.fingerprint) for step, one in steps.items() if step not in untouched)


def _group(
    work: tuple[tuple[str, str], ...],
    entries: list[Entry],
    writers: Mapping[tuple[str, str], int],
) -> Alike:
    own = tuple(step for step, form in work if writers[step, form] == len(entries))
    texts = [[sources[step].text for step in own] for sources in (one.steps for one in entries)]
    mistakes = [
        {name for check in entry.result.checks for name in check.mistakes} for entry in entries
    ]
    return Alike(
        entries=tuple(entries),
        steps=tuple(step for step, _ in work),
        own=own,
        lines=sum(text.count("\n") + 1 for text in texts[0]),
        verbatim=all(text == texts[0] for text in texts),
        mistakes=tuple(sorted(set.intersection(*mistakes))),
    )
