"""Several folders side by side: the mistakes of each try, and whether the feedback helped."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from autograder.reports.common_mistakes import common_mistakes
from autograder.reports.pages.statistics import Scores, StepStatistics, scores_of, step_statistics
from autograder.results import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.reports.pages.entries import Entry, Folder
    from autograder.results import Result


@dataclass(frozen=True)
class Column:
    """One folder: its scores, its steps by name, and the number of students for each mistake."""

    name: str
    scores: Scores
    steps: dict[str, StepStatistics]
    mistakes: dict[str, int]


@dataclass(frozen=True)
class Helped:
    """The number of students who corrected a mistake.

    Attributes:
        had: the students who made it and handed in again.
        gone: the students among them who did not make it in their last try.
    """

    title: str
    had: int
    gone: int


@dataclass(frozen=True)
class SideBySide:
    """Several folders. `steps` and `mistakes` are the rows of the tables."""

    columns: tuple[Column, ...]
    steps: tuple[str, ...]
    mistakes: tuple[tuple[str, str], ...]
    helped: tuple[Helped, ...]
    again: tuple[Entry, ...]


MOST_MISTAKES = 15


def side_by_side(
    folders: Sequence[Folder], names: Sequence[str], entries: Sequence[Entry]
) -> SideBySide:
    """Compare the folders, which have these names, and the tries of these students."""
    columns = [_column(folder, name) for folder, name in zip(folders, names, strict=True)]
    every = [result for folder in folders for result in _graded(folder.results)]
    steps = dict.fromkeys(check.step for result in every for check in result.checks)
    mistakes = common_mistakes(every)
    again = tuple(entry for entry in entries if len(entry.tries) > 1)
    return SideBySide(
        tuple(columns),
        tuple(steps),
        tuple((mistake.name[0], mistake.title) for mistake in mistakes[:MOST_MISTAKES]),
        _helped(again),
        again,
    )


def _graded(results: Sequence[Result]) -> list[Result]:
    return [result for result in results if result.status is Status.GRADED]


def _column(folder: Folder, name: str) -> Column:
    results = _graded(folder.results)
    mistakes = {
        name: len(mistake.students) for mistake in common_mistakes(results) for name in mistake.name
    }
    steps = {step.step: step for step in step_statistics(results)}
    return Column(name, scores_of(results), steps, mistakes)


def mistakes_of(result: Result) -> set[str]:
    """Return the names of all mistakes in a result."""
    return {name for check in result.checks for name in check.mistakes}


def _helped(entries: Sequence[Entry]) -> tuple[Helped, ...]:
    """Count for each mistake how many made it in a try and no longer in their last one."""
    had: dict[str, int] = {}
    gone: dict[str, int] = {}
    for entry in entries:
        *earlier, last = (mistakes_of(attempt.result) for attempt in entry.tries)
        for name in set().union(*earlier):
            had[name] = had.get(name, 0) + 1
            gone[name] = gone.get(name, 0) + (name not in last)
    helped = [Helped(name.replace("_", " "), had[name], gone[name]) for name in had]
    return tuple(sorted(helped, key=lambda mistake: (-mistake.had, mistake.title)))


@dataclass(frozen=True)
class TryWords:
    """One try of a student: its score, and the names of mistakes that left, stayed and are new."""

    folder: str
    score: float
    left: tuple[str, ...]
    stayed: tuple[str, ...]
    new: tuple[str, ...]


def try_words(entry: Entry) -> list[TryWords]:
    """Return the tries of a student, one after the other."""
    words = []
    names = [set[str](), *(mistakes_of(attempt.result) for attempt in entry.tries)]
    for attempt, (before, now) in zip(entry.tries, pairwise(names), strict=True):
        parts = (sorted(before - now), sorted(before & now), sorted(now - before))
        left, stayed, new = (tuple(name.replace("_", " ") for name in part) for part in parts)
        words.append(TryWords(attempt.folder, attempt.result.score, left, stayed, new))
    return words
