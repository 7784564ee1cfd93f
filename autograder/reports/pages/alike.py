"""Find submissions that are the same after normalising names and formatting: a hint, not a verdict."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from autograder.reports.pages.entries import Entry

# Two short steps are often written alike by chance.
FEWEST_STEPS = 2
_UNTOUCHED = (Outcome.NOT_STARTED, Outcome.MISSING)


@dataclass(frozen=True)
class Alike:
    """Students whose steps are all the same.

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


@dataclass(frozen=True)
class AlikeGroups:
    """The groups that share a step which no one outside the group wrote in the same way.

    Attributes:
        usual: the number of submissions that equal another one, but only in steps that others wrote too.
    """

    groups: tuple[Alike, ...]
    usual: int


def alike_groups(entries: Iterable[Entry]) -> AlikeGroups:
    """Return the groups of equal submissions, the groups with the most common lines first."""
    by_work: dict[tuple[tuple[str, str], ...], list[Entry]] = defaultdict(list)
    writers: dict[tuple[str, str], int] = defaultdict(int)
    for entry in entries:
        work = _work(entry)
        for step in work.items():
            writers[step] += 1
        if len(work) >= FEWEST_STEPS:
            by_work[tuple(work.items())].append(entry)
    same = [
        _group(work, group_entries, writers)
        for work, group_entries in by_work.items()
        if len(group_entries) > 1
    ]
    groups = sorted((group for group in same if group.own), key=lambda group: -group.lines)
    return AlikeGroups(tuple(groups), sum(len(group.entries) for group in same if not group.own))


def _work(entry: Entry) -> dict[str, str]:
    """Return the fingerprint of each step on which the student worked."""
    untouched = {check.step for check in entry.result.checks if check.outcome in _UNTOUCHED}
    return {
        step: mark
        for step, mark in (entry.member.fingerprints if entry.member else {}).items()
        if step not in untouched
    }


def _group(
    work: tuple[tuple[str, str], ...],
    entries: list[Entry],
    writers: Mapping[tuple[str, str], int],
) -> Alike:
    own = tuple(step for step, form in work if writers[step, form] == len(entries))
    texts = [[entry.steps[step].text for step in own] for entry in entries]
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
