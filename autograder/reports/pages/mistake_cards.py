"""The most common mistakes of a class, each with example code."""

from __future__ import annotations

import ast
import keyword
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.no_warnings import quiet
from autograder.reports.common_mistakes import common_mistakes
from autograder.text import without_invisible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from autograder.reports.common_mistakes import Case, CommonMistake
    from autograder.reports.graded_class import Entry

# A report lists more mistakes by name only.
MOST_CARDS = 30
_EXAMPLES_TRIED = 20
# Limits on the cost of parsing a student's code: a longer source is no good example either.
MOST_CHARACTERS = 4_000
MOST_LINES = 40
SHORTEST_NAME = 3
HIDDEN = "..."
_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NOT_PARSED = (SyntaxError, ValueError, RecursionError, MemoryError)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Card:
    """A mistake on the page.

    Attributes:
        mistake: the mistake and the students who made it.
        words, hint: the feedback to the student whose code is the example.
        step: the step in which that student's code has the mistake.
        code: that code, made anonymous; empty if there is none.
        entries: the students who made it; empty in an anonymous report.
    """

    mistake: CommonMistake
    words: str
    hint: str
    step: str
    code: str
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
        shown = len(cards) < MOST_CARDS
        code, case = _example(mistake, by_student) if shown else ("", mistake.example)
        names = _names_of(by_student[case.student]) if anonymous else []
        words, hint = (
            without_names(text, names) for text in (case.feedback.message, case.feedback.hint)
        )
        who = () if anonymous else tuple(by_student[student] for student in mistake.students)
        cards.append(Card(mistake, words, hint, case.step, code, who))
    return cards


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
            order = (-often[case.feedback.message], not case.feedback.sure, len(own.text), own.text)
            candidates.append((order, case))
    for order, case in sorted(candidates, key=lambda candidate: candidate[0])[:_EXAMPLES_TRIED]:
        code = anonymous_example(order[-1], _names_of(by_student[case.student]))
        if code:
            return code, case
    return "", mistake.example


def _names_of(entry: Entry) -> list[str]:
    person = entry.person
    return [entry.result.student, person.name, *person.ids.values(), person.email]


def anonymous_example(source: str, names: Iterable[str]) -> str:
    """Return the source without comments, docstrings and these names; empty if it is too long.

    Formatting is normalised too, because it could identify the student.
    """
    if len(source) > MOST_CHARACTERS:
        return ""
    try:
        with quiet():
            tree = ast.parse(source)
            for node in ast.walk(tree):
                if isinstance(node, _DOCUMENTED):
                    node.body = node.body[ast.get_docstring(node) is not None :] or [ast.Pass()]
            text = ast.unparse(tree)
    except _NOT_PARSED:
        return ""
    return without_names(text, names) if text.count("\n") < MOST_LINES else ""


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
