"""`report.html`: the scores, steps and mistakes of a class, the students who need help, and submissions to look at."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from autograder.reports.class_record import shown_names
from autograder.reports.common_mistakes import common_mistakes
from autograder.reports.pages.feedback_page import FEEDBACK_FILE
from autograder.reports.pages.figures import (
    HARD,
    scores_of,
    step_statistics,
    ticks,
)
from autograder.reports.pages.html import render
from autograder.reports.step_state import OUTCOMES, state_of
from autograder.results import Outcome, Status
from autograder.submission.step_source import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from autograder.reports.graded_class import Entry, GradedClass

REPORT_FILE = "report.html"

MOST_NAMED = 6
# More mistakes are listed by name only.
MOST_CARDS = 30
HALF = 0.5
_MOST_WORDS = 400
# Two short steps are often written alike by chance.
FEWEST_STEPS = 2


def report_page(
    class_: GradedClass,
    *,
    anonymous: bool = False,
) -> bytes:
    """Return the report as bytes: one file that needs no other, except for its links to feedback.

    `anonymous` leaves out names, ids, addresses and links.
    """
    entries = [*class_.entries]
    graded = [entry for entry in entries if entry.is_graded]
    cards = common_mistakes(graded)
    found = concerns(class_)
    names = shown_names(entry.member for entry in entries if entry.member)
    return render(
        "report.html.jinja",
        **_figures(graded),
        **_ALWAYS,
        anonymous=anonymous,
        assignment=entries[0].result.assignment,
        public=any(entry.result.public for entry in entries),
        count=len(entries),
        cards=cards,
        common=[card for card in cards if card.count > 1],
        merged=class_.parts,
        facts=None if class_.parts else entries[0].result,
        statuses=Counter(entry.result.status for entry in entries),
        absent=sum(len(one.students) for one in found if one.name == "absent"),
        concerns=found,
        alike=([], 0) if anonymous else alike_groups(graded),
        entries=() if anonymous else entries,
        questions=[] if anonymous else [*answered(class_)],
        label=lambda entry: names.get(entry.result.student, entry.result.student),
    )


def answered(class_: GradedClass) -> Iterator[tuple[str, list[tuple[Entry, str]], list[Entry]]]:
    """Yield each question that somebody answered, with the answers, and who gave none."""
    entries = [*class_.entries]
    for question in sorted({question for entry in entries for question in entry.answers}):
        given = [(entry, entry.answers[question]) for entry in entries if question in entry.answers]
        yield question, given, [entry for entry in entries if question not in entry.answers]


def _figures(graded: Sequence[Entry]) -> dict[str, Any]:
    """Return the statistics of the page, and the students with few points."""
    results = [entry.result for entry in graded]
    steps = step_statistics(results)
    hardest = min((step.difficulty for step in steps), default=1.0)
    return {
        "graded": len(results),
        "scores": scores_of(results),
        "steps": steps,
        "hardest": [step for step in steps if step.difficulty == hardest],
        "is_hard": hardest < HARD,
        "weak": _weak(graded),
        "sandbox": sorted({layer for result in results for layer in result.sandbox}),
    }


def feedback_link(entry: Entry) -> str:
    """Return the relative address of a student's feedback."""
    return f"{quote(os.fsencode(entry.result.student))}/{FEEDBACK_FILE}"  # a name may be no UTF-8


def _weak(graded: Sequence[Entry]) -> list[tuple[Entry, str]]:
    """Return the students with less than half of the points, the lowest first, each with a reason."""
    weak = [entry for entry in graded if entry.result.score < HALF * entry.result.judged]
    return [(entry, _reason(entry)) for entry in sorted(weak, key=lambda entry: entry.result.score)]


def _reason(entry: Entry) -> str:
    """Return the number of steps that are not started, else the first two recognised mistakes."""
    not_started = sum(state_of(check).is_open for check in entry.result.checks)
    if not_started:
        return f"{not_started} {'step' if not_started == 1 else 'steps'} not started"
    mistakes = sorted(name.replace("_", " ") for name in entry.result.mistakes)
    return ", ".join(mistakes[:2]) or "no named mistake"


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


def concerns(class_: GradedClass) -> list[Concern]:
    """Return the submissions that were rejected, not graded, stopped, not started, or not recognised."""
    found = [
        Concern(
            name,
            title,
            tuple((entry, words) for entry in class_.entries if (words := describe(entry))),
        )
        for name, title, describe in _OF_AN_ENTRY
    ]
    absent = [person.shown for person in class_.record.absent]
    found += [
        Concern(name, title, tuple((None, student) for student in students))
        for name, title, students in (
            ("unreadable", "with results that cannot be read: grade again", class_.unreadable),
            (
                "gone",
                "with results under a name that is no longer used: not in this report",
                class_.gone,
            ),
            ("absent", "on the roster, but nothing was handed in", absent),
        )
    ]
    return [concern for concern in found if concern.students]


def _rejected(entry: Entry) -> str:
    return entry.result.output[:_MOST_WORDS] if entry.result.status is Status.REJECTED else ""


def _ungraded(entry: Entry) -> str:
    return "grade again" if entry.result.status is Status.UNGRADED else ""


def _stopped(entry: Entry) -> str:
    checks = [check for check in entry.result.checks if OUTCOMES[check.outcome].is_stopped]
    return ", ".join(f"{check.step} ({state_of(check).words})" for check in checks)


def _untouched(entry: Entry) -> str:
    every = all(state_of(check).is_open for check in entry.result.checks if not check.is_question)
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
        if len({entry.person.group or entry.result.student for entry in group_entries}) > 1
    ]
    groups = sorted((group for group in same if group.own), key=lambda group: -group.lines)
    return groups, sum(len(group.entries) for group in same if not group.own)


def _work(entry: Entry) -> tuple[tuple[str, str], ...]:
    """Return the fingerprint of each step on which the student worked."""
    untouched = {check.step for check in entry.result.checks if OUTCOMES[check.outcome].is_open}
    return tuple(
        (step, fingerprint(one.text)) for step, one in entry.steps.items() if step not in untouched
    )


def _group(
    work: tuple[tuple[str, str], ...],
    entries: list[Entry],
    writers: Mapping[tuple[str, str], int],
) -> Alike:
    own = tuple(step for step, form in work if writers[step, form] == len(entries))
    texts = [[sources[step].text for step in own] for sources in (one.steps for one in entries)]
    return Alike(
        entries=tuple(entries),
        steps=tuple(step for step, _ in work),
        own=own,
        lines=sum(text.count("\n") + 1 for text in texts[0]),
        verbatim=all(text == texts[0] for text in texts),
        mistakes=tuple(sorted(set.intersection(*(entry.result.mistakes for entry in entries)))),
    )


# What each report has.
_ALWAYS = {
    "most_cards": MOST_CARDS,
    "most_named": MOST_NAMED,
    "link": feedback_link,
    "state_of": state_of,
    "ticks": ticks,
}
