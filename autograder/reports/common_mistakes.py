"""Count the recognised mistakes of a class, the most common one first."""

from __future__ import annotations

import keyword
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.results import steps_of
from autograder.text import without_invisible

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from autograder.reports.graded_class import Entry
    from autograder.results import Feedback

SHORTEST_NAME = 3
HIDDEN = "..."
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Case:
    """One student's feedback that names a mistake."""

    entry: Entry
    step: str
    feedback: Feedback

    @property
    def clearness(self) -> tuple[bool, bool, int, bool]:
        """A key for sorting: the clearest case comes first."""
        feedback = self.feedback
        unclear = not feedback.message, not feedback.sure
        return *unclear, len(feedback.mistakes), bool(feedback.repeats)

    def told(self, text: str, *, anonymous: bool) -> str:
        """Return a text of the feedback, in which an anonymous report hides the student's names and ids."""
        if not anonymous:
            return text
        student, person = self.entry.result.student, self.entry.person
        return without_names(text, [student, person.name, *person.ids.values(), person.email])


@dataclass(frozen=True)
class CommonMistake:
    """A mistake and the students who made it.

    Attributes:
        name: the mistake's name, and the names of others with the same effect.
        steps: where it was seen first, in the order of the assignment.
        perhaps: the students for whom another mistake is possible too.
        cases: the clearest feedback of each student, in the order of the results.
    """

    name: tuple[str, ...]
    steps: tuple[str, ...]
    perhaps: frozenset[str]
    cases: tuple[Case, ...]

    @property
    def count(self) -> int:
        """The number of students."""
        return len(self.cases)

    @property
    def is_told_alike(self) -> bool:
        """Whether the message is the same for all students. It differs where it quotes a student's own code."""
        return len({case.feedback.message for case in self.cases}) == 1

    @property
    def example(self) -> Case:
        """The feedback to one of them, in the words that most of them read."""
        often = Counter(case.feedback.message for case in self.cases)
        clearest = min(self.cases, key=lambda case: case.clearness)
        return max((clearest, *self.cases), key=lambda case: often[case.feedback.message])

    @property
    def title(self) -> str:
        """The name in words."""
        return ", or ".join(name.replace("_", " ") for name in self.name)

    @property
    def addresses(self) -> str:
        """The e-mail addresses of the students, to copy."""
        addresses = (case.entry.person.email for case in self.cases)
        return ", ".join(dict.fromkeys(filter(None, addresses)))


def common_mistakes(entries: Collection[Entry]) -> list[CommonMistake]:
    """Return the recognised mistakes. A student counts once, also with the same mistake in several steps."""
    same = _same_effect(entries)
    names: dict[str, set[str]] = defaultdict(set)
    cases: dict[str, dict[str, list[Case]]] = defaultdict(lambda: defaultdict(list))
    for entry in entries:
        for case, name in _named(entry):
            one = same.get(name, name)
            names[one].add(name)
            cases[one][entry.result.student].append(case)
    steps = steps_of(entry.result for entry in entries)
    mistakes = [_mistake(names[one], by_student, steps) for one, by_student in cases.items()]
    return sorted(mistakes, key=lambda one: (-one.count, len(one.perhaps), one.name))


def _named(entry: Entry) -> Iterator[tuple[Case, str]]:
    """Yield each mistake that a student's feedback names, with its case."""
    for check in entry.result.checks:
        for feedback in check.explained:
            for name in feedback.mistakes:
                yield Case(entry, check.step, feedback), name


def _same_effect(entries: Iterable[Entry]) -> dict[str, str]:
    """Map a mistake's name to the name of another mistake that gives the same answers."""
    same: dict[str, str] = {}
    for entry in entries:
        for case, _ in _named(entry):
            if case.feedback.sure:
                first, *others = sorted(case.feedback.mistakes)
                same |= dict.fromkeys(others, same.get(first, first))
    return same


def _mistake(names: set[str], by_student: dict[str, list[Case]], steps: list[str]) -> CommonMistake:
    seen_in = {cases[0].step for cases in by_student.values()}
    return CommonMistake(
        name=tuple(sorted(names)),
        steps=tuple(step for step in steps if step in seen_in),
        perhaps=frozenset(
            student
            for student, cases in by_student.items()
            if not any(case.feedback.sure for case in cases)
        ),
        cases=tuple(min(cases, key=lambda case: case.clearness) for cases in by_student.values()),
    )


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
