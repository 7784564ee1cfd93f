"""The most common mistakes of a class, each with example code, a letter and a command to grade again."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autograder.reports.common_mistakes import common_mistakes
from autograder.reports.pages.example import anonymous_example, without_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from autograder.reports.common_mistakes import Case, CommonMistake
    from autograder.reports.pages.entries import Entry

# A report lists more mistakes by name only.
MOST_CARDS = 30
_EXAMPLES_TRIED = 20


@dataclass(frozen=True)
class Card:
    """A mistake on the page.

    Attributes:
        mistake: the mistake and the students who made it.
        words, hint: the feedback to the student whose code is the example.
        step: the step in which that student's code has the mistake.
        code: that code, made anonymous; empty if there is none.
        entries: the students who made it; empty in an anonymous report, as are the next three.
        addresses: the e-mail addresses of the students, to copy.
        letter: a note to send them.
        command: grades these students again.
    """

    mistake: CommonMistake
    words: str
    hint: str
    step: str
    code: str
    entries: tuple[Entry, ...] = ()
    addresses: str = ""
    letter: str = ""
    command: str = ""

    @property
    def count(self) -> int:
        """The number of students."""
        return len(self.mistake.students)


def mistake_cards(
    entries: Sequence[Entry], *, out: str, given: Sequence[str], anonymous: bool
) -> list[Card]:
    """Return a card for each mistake, the most common one first.

    Args:
        entries: the students.
        out: the results folder, for the command.
        given: the paths of the submissions, for the command; empty if unknown.
        anonymous: leave out names, ids, addresses, and the command.
    """
    by_student = {entry.result.student: entry for entry in entries}
    results = [entry.result for entry in entries if entry.is_graded]
    cards: list[Card] = []
    for mistake in common_mistakes(results):
        code, case = (
            _example(mistake, by_student) if len(cards) < MOST_CARDS else ("", mistake.example)
        )
        names = _names_of(by_student[case.student]) if anonymous else []
        words, hint = (
            without_names(text, names) for text in (case.feedback.message, case.feedback.hint)
        )
        card = Card(mistake, words, hint, case.step, code)
        if not anonymous:
            card = _for_the_instructor(card, by_student, out, given)
        cards.append(card)
    return cards


def _for_the_instructor(
    card: Card, by_student: Mapping[str, Entry], out: str, given: Sequence[str]
) -> Card:
    entries = tuple(by_student[student] for student in card.mistake.students)
    addresses = dict.fromkeys(entry.person.email for entry in entries if entry.person.email)
    assignment = entries[0].result.assignment
    return replace(
        card,
        entries=entries,
        addresses=", ".join(addresses),
        letter=_letter(card, assignment),
        command=_command(card.mistake, assignment, out, given),
    )


def _example(mistake: CommonMistake, by_student: Mapping[str, Entry]) -> tuple[str, Case]:
    """Return the code of a step with the mistake, and its case.

    The most frequent message comes first, then a certain mistake, then the shortest code. Without
    any code, return the clearest case.
    """
    often = Counter(case.feedback.message for case in mistake.cases)
    candidates = []
    for case in mistake.cases:
        own = by_student[case.student].steps.get(case.step)
        if own is not None and case.feedback.message and not case.feedback.repeats:
            order = (-often[case.feedback.message], not case.sure, len(own.text), own.text)
            candidates.append((order, case))
    for order, case in sorted(candidates, key=lambda candidate: candidate[0])[:_EXAMPLES_TRIED]:
        code = anonymous_example(order[-1], _names_of(by_student[case.student]))
        if code:
            return code, case
    return "", mistake.example


def _names_of(entry: Entry) -> list[str]:
    person = entry.person
    return [entry.result.student, person.name, *person.ids.values(), person.email]


def _letter(card: Card, assignment: str) -> str:
    steps = ", ".join(card.mistake.steps)
    again = "\n".join(f"    pytest -k {step}" for step in card.mistake.steps)
    who = "this was seen" if card.count == 1 else "several of you met the same thing"
    look = f"Where to look: {card.hint}\n\n" if card.hint else ""
    words = (
        f"in {assignment}, {who} in {steps}:\n\n{card.words}\n\n{look}"
        if card.mistake.is_told_alike
        else f"in {assignment}, {who} in {steps}: {card.mistake.title}.\n\n"
    )
    return (
        f"Hello,\n\n{words}Your page feedback.html shows your own numbers and lines. Then check it again with\n\n"
        f"{again}\n\nand hand in again. If it stays unclear, please ask.\n"
    )


def _command(mistake: CommonMistake, assignment: str, out: str, given: Sequence[str]) -> str:
    places = list(given) or ["SUBMISSIONS"]
    again = [word for name in mistake.name for word in ("--regrade", name)]
    return shlex.join(
        ["autograder", "grade", *places, "--assignment", assignment, "--out", out, *again]
    )
