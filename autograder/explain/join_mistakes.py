"""Order and join the words of recognised mistakes. What the student wrote decides between causes that look the same.

Numbers prove an effect, and several mistakes may have the same one. A mistake may declare patterns of code
(`Mistake.written`). If one of them is in the student's code, that mistake comes first, and the code is quoted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.explain.recognise import effect
from autograder.results import Feedback, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from autograder.exam.questions import Exam
    from autograder.explain.recognise import Recognition
    from autograder.explain.student_code import Definition

SHOWN_ALTERNATIVES = 2
QUOTED = "{code}"
# Stands for code whose value does not reach what the step returns.
UNUSED = "{unused}"

# This says nothing of the code but where it is.
_ONLY_QUOTED = "You wrote {code}."

Alternative = tuple[str, ...]


@dataclass(frozen=True)
class MistakeWords:
    """The texts of an exam's mistakes, for one student's code.

    Attributes:
        step: the step that shows the mistakes. Their words know whether it is their own.
        definitions: the step and the student's own functions that it calls.
    """

    exam: Exam
    step: str
    definitions: Sequence[Definition] = ()

    def says(self, name: str) -> str:
        """Return what a mistake means, with a sentence about the student's code if that shows it."""
        code = self._of_the_code(name)
        return f"{self._words(name)[0]} {code}" if code else self._words(name)[0]

    def look(self, name: str) -> str:
        return self._words(name)[1]

    def _words(self, name: str) -> tuple[str, ...]:
        own_step, *inside = self.exam.inside.get(name, (self.step,))
        return self.exam.mistakes[name] if own_step == self.step else tuple(inside)

    def shown(self, name: str) -> bool:
        """Return whether the student's code has one of the patterns of a mistake."""
        written = self.exam.written.get(name, {})
        return any(self._quoted(*one) for one in written.items())

    def in_order(self, alternatives: Iterable[Alternative]) -> list[Alternative]:
        """Return alternatives, those first that the student's code shows, those last that it could and does not."""

        def rank(alternative: Alternative) -> int:
            if any(self.shown(name) for name in alternative):
                return 0
            return 2 if any(self.exam.written.get(name) for name in alternative) else 1

        return sorted(alternatives, key=rank)

    def fitting(self, alternatives: Iterable[Alternative]) -> list[Alternative]:
        """Return the alternatives that the student's code shows; all if it shows none."""
        ordered = self.in_order(alternatives)
        shown = [alternative for alternative in ordered if any(map(self.shown, alternative))]
        return shown or ordered

    def _of_the_code(self, name: str) -> str:
        for pattern, sentence in self.exam.written.get(name, {}).items():
            code = self._quoted(pattern, sentence) if sentence else ""
            if code and (sentence != _ONLY_QUOTED or self._is_one(pattern)):
                return sentence.replace(QUOTED, f"`{code}`").replace(UNUSED, f"`{code}`")
        return ""

    def _quoted(self, pattern: str, sentence: str) -> str:
        """Return the student's own text of the first expression that matches; empty if none does."""
        unused = UNUSED in sentence
        found = (one.written(pattern, unused=unused) for one in self.definitions)
        return next(filter(None, found), "")

    def _is_one(self, pattern: str) -> bool:
        """Return whether one expression of the code matches. Of several, it is unknown which one is the cause."""
        return len({text for one in self.definitions for text in one.every(pattern)}) == 1


def explain_mistakes(words: MistakeWords, found: Recognition) -> Feedback:
    """Return feedback with the message and the hint of known mistakes."""
    says, look = _says_and_look(words, found)
    return Feedback(Outcome.WRONG, says, look, mistakes=found.names, sure=found.sure)


def _says_and_look(words: MistakeWords, found: Recognition) -> tuple[str, str]:
    if not found.sure:
        return _guess_words(words, found)
    if len(found.alternatives[0]) == 1:
        shown = [name for (name,) in words.fitting(found.alternatives)[:SHOWN_ALTERNATIVES]]
        looks = dict.fromkeys(map(words.look, shown))
        says = dict.fromkeys(map(words.says, shown))
        return " Or, with the same effect: ".join(says), " Or: ".join(looks)
    pair = words.fitting(found.alternatives)[0]
    first, second = map(words.says, pair)
    return f"Two mistakes at once. First: {first} Second: {second}", " And: ".join(
        map(words.look, pair)
    )


def _guess_words(words: MistakeWords, found: Recognition) -> tuple[str, str]:
    """Return the message and the hint of uncertain alternatives. Their common mistakes are certain."""
    by_effect: dict[frozenset[str], Alternative] = {}
    for names in words.in_order(found.alternatives):
        by_effect.setdefault(frozenset(effect(words.exam, name) for name in names), names)
    alternatives = list(by_effect.values())
    common = [
        name for name in alternatives[0] if all(name in alternative for alternative in alternatives)
    ]
    if len(common) == len(alternatives[0]) == 1:
        return f"{words.says(common[0])} Something else is wrong, too.", words.look(common[0])
    if len(alternatives[0]) > 1 and not common:
        first, second = map(words.says, alternatives[0])
        guess = f"{first} And: {second} Or something else that looks the same."
        return f"Perhaps two mistakes at once: {guess}", " And: ".join(
            map(words.look, alternatives[0])
        )
    return _common_and_more(words, alternatives, common)


def _common_and_more(
    words: MistakeWords, alternatives: list[Alternative], common: list[str]
) -> tuple[str, str]:
    """Return the words for what all alternatives share, and for the rest, of which one is the cause."""
    others = [
        next(name for name in alternative if name not in common) for alternative in alternatives
    ]
    shown = others[:SHOWN_ALTERNATIVES]
    more = " Or something else like it." if len(others) > len(shown) else ""
    guess = " Or: ".join(map(words.says, shown)) + more
    look = " Or: ".join(dict.fromkeys(map(words.look, shown)))
    if not common:
        return f"One of these: {guess}", look
    first = words.says(common[0])
    return (
        f"Two mistakes at once. First: {first} Second, one of these: {guess}",
        f"{words.look(common[0])} And: {look}",
    )
