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

    Alternative = tuple[str, ...]

SHOWN_ALTERNATIVES = 2
QUOTED = "{code}"


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
        return f"{self._words(name)[0]} {self._of_the_code(name)}".strip()

    def look(self, name: str) -> str:
        return self._words(name)[1]

    def _words(self, name: str) -> tuple[str, ...]:
        own_step, *inside = self.exam.inside.get(name, (self.step,))
        return self.exam.mistakes[name] if own_step == self.step else tuple(inside)

    def fitting(self, alternatives: Iterable[Alternative]) -> list[Alternative]:
        """Return the alternatives that the student's code shows; all if it shows none."""
        every = list(alternatives)
        return [one for one in every if any(map(self._of_the_code, one))] or every

    def _of_the_code(self, name: str) -> str:
        """Return the first sentence whose pattern one expression of the code matches. Of several, one may be right."""
        for pattern, sentence in self.exam.written.get(name, {}).items():
            texts = {text for one in self.definitions for text in one.every(pattern)}
            if len(texts) == 1:
                return sentence.replace(QUOTED, f"`{texts.pop()}`")
        return ""


def explain_mistakes(words: MistakeWords, found: Recognition) -> Feedback:
    """Return feedback with the message and the hint of known mistakes."""
    says, look = (_sure if found.sure else _guess)(words, found)
    return Feedback(Outcome.WRONG, says, look, mistakes=found.names, sure=found.sure)


def _sure(words: MistakeWords, found: Recognition) -> tuple[str, str]:
    """Return the words for one mistake, for those with the same effect, or for two at once."""
    fitting = words.fitting(found.alternatives)
    if len(fitting[0]) > 1:
        first, second = map(words.says, fitting[0])
        says = f"Two mistakes at once. First: {first} Second: {second}"
        return says, " And: ".join(map(words.look, fitting[0]))
    shown = [name for (name,) in fitting[:SHOWN_ALTERNATIVES]]
    says = " Or, with the same effect: ".join(dict.fromkeys(map(words.says, shown)))
    return says, " Or: ".join(dict.fromkeys(map(words.look, shown)))


def _guess(words: MistakeWords, found: Recognition) -> tuple[str, str]:
    """Return the words for what all alternatives share, which is certain, and for what else may be the cause."""
    by_effect: dict[frozenset[str], Alternative] = {}
    for names in (*words.fitting(found.alternatives), *found.alternatives):
        by_effect.setdefault(frozenset(effect(words.exam, name) for name in names), names)
    alternatives = list(by_effect.values())
    certain = [name for name in alternatives[0] if all(name in one for one in alternatives)]
    others = [[name for name in one if name not in certain] for one in alternatives]
    shown = [one for one in others[:SHOWN_ALTERNATIVES] if one]
    if not shown:
        return f"{words.says(certain[0])} Something else is wrong, too.", words.look(certain[0])
    says = " Or: ".join(" And: ".join(map(words.says, one)) for one in shown)
    says += " Or something else like it."
    looks = " Or: ".join(dict.fromkeys(words.look(name) for one in shown for name in one))
    if not certain:
        return f"Perhaps: {says}", looks
    first = f"Two mistakes at once. First: {words.says(certain[0])} Second, one of these: "
    return first + says, f"{words.look(certain[0])} And: {looks}"
