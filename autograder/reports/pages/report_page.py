"""`report.html`: the scores, steps and mistakes of a class, and the students who need help."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from autograder.reports.pages.alike import AlikeGroups, alike_groups
from autograder.reports.pages.concerns import concerns
from autograder.reports.pages.entries import entries_of, labels
from autograder.reports.pages.feedback_page import FEEDBACK_FILE
from autograder.reports.pages.html import render
from autograder.reports.pages.mistake_cards import MOST_CARDS, mistake_cards
from autograder.reports.pages.plots import score_plot, step_plot
from autograder.reports.pages.statistics import HARD, scores_of, step_statistics
from autograder.reports.pages.tries import side_by_side, try_words
from autograder.reports.step_state import OPEN, state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autograder.reports.pages.entries import Entry, Folder
    from autograder.reports.pages.mistake_cards import Card
    from autograder.reports.pages.statistics import Scores, StepStatistics

REPORT_FILE = "report.html"

MOST_NAMED = 6
HALF = 0.5
MOST_SINGLE = 3


def report_page(
    folders: Sequence[Folder],
    entries: Sequence[Entry] | None = None,
    *,
    out: str = "",
    anonymous: bool = False,
) -> bytes:
    """Return the report as bytes: one file that needs no other, except for its links to feedback.

    Args:
        folders: the results; with several, `entries` are the students after merging.
        entries: the students; by default those of the only folder.
        out: the name of the results folder, for commands.
        anonymous: leave out names, ids, addresses and links.

    Raises UsageError if a library is missing that pages need.
    """
    entries = entries_of(folders[0]) if entries is None else entries
    graded = [entry for entry in entries if entry.is_graded]
    cards = mistake_cards(entries, out=out, given=_given(entries, out), anonymous=anonymous)
    return render(
        "report.html.jinja",
        **_numbers(graded),
        **_people(folders, entries, graded, anonymous=anonymous),
        anonymous=anonymous,
        assignment=entries[0].result.assignment,
        public=any(entry.result.public for entry in entries),
        count=len(entries),
        cards=cards,
        most_cards=MOST_CARDS,
        rare=_rare(cards),
        most_named=MOST_NAMED,
        side=side_by_side(folders, labels(folders), entries) if len(folders) > 1 else None,
        facts=folders[0].facts if len(folders) == 1 else {},
        link=feedback_link,
        label=_labels_of(entries),
        state_of=state_of,
        try_words=try_words,
    )


def _labels_of(entries: Sequence[Entry]) -> Callable[[Entry], str]:
    """Return what gives a student's name, or the name of the submission where two students have the same."""
    times = Counter(entry.name for entry in entries)
    return lambda entry: entry.name if times[entry.name] == 1 else entry.result.student


def _rare(cards: Sequence[Card]) -> int:
    """Return how many cards at the end are folded: those of one student each, if there are many."""
    single = sum(card.count == 1 for card in cards[:MOST_CARDS])
    return single if single > MOST_SINGLE else 0


def _given(entries: Sequence[Entry], out: str) -> list[str]:
    """Return the paths of the submissions. In `class.json` they are relative to the folder of results."""
    given = [entry.member.given for entry in entries if entry.member and entry.member.given]
    paths = (os.path.normpath(Path(out, path)) for path in dict.fromkeys(given))
    return [Path(path).as_posix() for path in paths]


def _numbers(graded: Sequence[Entry]) -> dict[str, Any]:
    """Return the statistics of the page, and their plots."""
    results = [entry.result for entry in graded]
    scores, steps = scores_of(results), step_statistics(results)
    return {
        "graded": len(results),
        "scores": scores,
        "steps": steps,
        "doubtful": [step for step in steps if step.is_doubtful],
        "hardest": [
            step for step in steps if step.difficulty == min(other.difficulty for other in steps)
        ],
        "is_hard": any(step.difficulty < HARD for step in steps),
        "score_plot": score_plot(scores, _score_words(scores)) if results else "",
        "step_plot": step_plot(steps, _step_words(steps)) if results else "",
        "sandbox": sorted({layer for result in results for layer in result.sandbox}),
    }


def _people(
    folders: Sequence[Folder],
    entries: Sequence[Entry],
    graded: Sequence[Entry],
    *,
    anonymous: bool,
) -> dict[str, Any]:
    """Return the students of the page, without names in an anonymous one."""
    found = concerns(folders, entries, anonymous=anonymous)
    return {
        "statuses": Counter(entry.result.status for entry in entries),
        "weak": _weak(graded),
        "lowest": _lowest(graded),
        "absent": sum(concern.count for concern in found if concern.name == "absent"),
        "concerns": found,
        "alike": AlikeGroups((), 0) if anonymous else alike_groups(graded),
        "entries": () if anonymous else entries,
    }


def feedback_link(entry: Entry) -> str:
    """Return the relative address of a student's feedback."""
    return f"{quote(os.fsencode(entry.result.student))}/{FEEDBACK_FILE}"  # a name may be no UTF-8


def _weak(graded: Sequence[Entry]) -> list[tuple[Entry, str]]:
    """Return the students with less than half of the points, the lowest first, each with a reason."""
    weak = [entry for entry in graded if entry.result.score < HALF * entry.result.max_score]
    return [(entry, _reason(entry)) for entry in sorted(weak, key=lambda entry: entry.result.score)]


def _lowest(graded: Sequence[Entry]) -> list[Entry]:
    """Return the students with the lowest score; none if all have the same."""
    scores = {entry.result.score for entry in graded}
    return [entry for entry in graded if len(scores) > 1 and entry.result.score == min(scores)]


def _reason(entry: Entry) -> str:
    """Return the number of steps that are not started, else the first two recognised mistakes."""
    checks = entry.result.checks
    not_started = sum(state_of(check).name in OPEN for check in checks)
    if not_started:
        return f"{not_started} {'step' if not_started == 1 else 'steps'} not started"
    mistakes = {name for check in checks for name in check.mistakes}
    return ", ".join(sorted(name.replace("_", " ") for name in mistakes)[:2]) or "no named mistake"


def _score_words(scores: Scores) -> str:
    return (
        f"Distribution of the scores of {len(scores.every)} students: from {min(scores.every):g} to "
        f"{max(scores.every):g} of {scores.max_score:g} points, mean {scores.mean:.3g}, "
        f"median {scores.median:.3g}."
    )


def _step_words(steps: Sequence[StepStatistics]) -> str:
    shares = ", ".join(f"{step.step} {step.pass_rate:.0%}" for step in steps)
    return f"Share of the students with all points of a step: {shares}."
