"""The most common mistakes of a class, each with the feedback to one of the students."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.reports.common_mistakes import common_mistakes
from autograder.text import without_invisible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from autograder.reports.common_mistakes import CommonMistake
    from autograder.reports.graded_class import Entry

# A report lists more mistakes by name only.
MOST_CARDS = 30
SHORTEST_NAME = 3
HIDDEN = "..."
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Card:
    """A mistake on the page.

    Attributes:
        mistake: the mistake and the students who made it.
        words, hint: the feedback to one of them, in the words that most of them read.
        step: the step of this feedback.
        entries: the students who made it; empty in an anonymous report.
    """

    mistake: CommonMistake
    words: str
    hint: str
    step: str
    entries: tuple[Entry, ...]

    @property
    def count(self) -> int:
        """The number of students."""
        return len(self.mistake.students)

    @property
    def addresses(self) -> str:
        """The e-mail addresses of the students, to copy."""
        addresses = (entry.person.email for entry in self.entries)
        return ", ".join(dict.fromkeys(filter(None, addresses)))


def mistake_cards(entries: Sequence[Entry], *, anonymous: bool) -> list[Card]:
    """Return a card for each mistake, the most common one first. An anonymous one names nobody."""
    by_student = {entry.result.student: entry for entry in entries}
    cards: list[Card] = []
    for mistake in common_mistakes([entry.result for entry in entries if entry.is_graded]):
        often = Counter(case.feedback.message for case in mistake.cases)
        told = max((mistake.example, *mistake.cases), key=lambda case: often[case.feedback.message])
        names = _names_of(by_student[told.student]) if anonymous else []
        words, hint = (
            without_names(text, names) for text in (told.feedback.message, told.feedback.hint)
        )
        who = () if anonymous else tuple(by_student[student] for student in mistake.students)
        cards.append(Card(mistake, words, hint, told.step, who))
    return cards


def _names_of(entry: Entry) -> list[str]:
    person = entry.person
    return [entry.result.student, person.name, *person.ids.values(), person.email]


def without_names(text: str, names: Iterable[str]) -> str:
    """Return a text in which the words of these names are hidden."""
    words = {
        word.casefold()
        for name in names
        for word in (name, *_WORD.findall(name))
        if len(word) >= SHORTEST_NAME and not keyword.iskeyword(word)
    }
    if not words:
        return text
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    pattern = rf"(?<![^\W_])(?:{'|'.join(longest_first)})(?![^\W_])"
    return re.sub(pattern, HIDDEN, without_invisible(text), flags=re.IGNORECASE)
