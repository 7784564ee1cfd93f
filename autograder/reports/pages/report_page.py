"""`report.html`: the scores, steps and mistakes of a class, and the students who need help."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from autograder.reports.pages.concerns import alike_groups, concerns
from autograder.reports.pages.feedback_page import FEEDBACK_FILE
from autograder.reports.pages.figures import (
    HARD,
    scores_of,
    side_by_side,
    step_statistics,
    ticks,
    try_words,
)
from autograder.reports.pages.html import render
from autograder.reports.pages.mistake_cards import MOST_CARDS, mistake_cards
from autograder.reports.step_state import state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autograder.reports.graded_class import Entry, GradedClass
    from autograder.reports.pages.mistake_cards import Card

REPORT_FILE = "report.html"

MOST_NAMED = 6
HALF = 0.5
MOST_SINGLE = 3


def report_page(
    folders: Sequence[GradedClass],
    entries: Sequence[Entry],
    *,
    out: str = "",
    anonymous: bool = False,
) -> bytes:
    """Return the report as bytes: one file that needs no other, except for its links to feedback.

    Args:
        folders: the results; with several, `entries` are the students after merging.
        entries: the students.
        out: the name of the results folder, for commands.
        anonymous: leave out names, ids, addresses and links.
    """
    graded = [entry for entry in entries if entry.is_graded]
    cards = mistake_cards(entries, anonymous=anonymous)
    found = concerns(folders, entries)
    return render(
        "report.html.jinja",
        **_figures(graded),
        **_ALWAYS,
        anonymous=anonymous,
        assignment=entries[0].result.assignment,
        public=any(entry.result.public for entry in entries),
        count=len(entries),
        cards=cards,
        given=_given(entries, out),
        out=out,
        rare=_rare(cards),
        side=side_by_side(folders, entries) if len(folders) > 1 else None,
        facts=folders[0].facts if len(folders) == 1 else {},
        statuses=Counter(entry.result.status for entry in entries),
        absent=sum(concern.count for concern in found if concern.name == "absent"),
        concerns=found,
        alike=([], 0) if anonymous else alike_groups(graded),
        entries=() if anonymous else entries,
        label=_labels_of(entries),
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
    """Return the paths of the submissions. In `class.jsonl` they are relative to the folder of results."""
    given = [entry.member.given for entry in entries if entry.member and entry.member.given]
    paths = (os.path.normpath(Path(out, path)) for path in dict.fromkeys(given))
    return [Path(path).as_posix() for path in paths]


def _figures(graded: Sequence[Entry]) -> dict[str, Any]:
    """Return the statistics of the page, and the students with few points."""
    results = [entry.result for entry in graded]
    steps = step_statistics(results)
    hardest = min((step.difficulty for step in steps), default=1.0)
    return {
        "graded": len(results),
        "scores": scores_of(results),
        "steps": steps,
        "doubtful": [step for step in steps if step.is_doubtful],
        "hardest": [step for step in steps if step.difficulty == hardest],
        "is_hard": hardest < HARD,
        "weak": _weak(graded),
        "lowest": _lowest(graded),
        "sandbox": sorted({layer for result in results for layer in result.sandbox}),
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
    not_started = sum(state_of(check).is_open for check in checks)
    if not_started:
        return f"{not_started} {'step' if not_started == 1 else 'steps'} not started"
    mistakes = {name for check in checks for name in check.mistakes}
    return ", ".join(sorted(name.replace("_", " ") for name in mistakes)[:2]) or "no named mistake"


# What each report has.
_ALWAYS = {
    "most_cards": MOST_CARDS,
    "most_named": MOST_NAMED,
    "link": feedback_link,
    "state_of": state_of,
    "ticks": ticks,
    "try_words": try_words,
}
