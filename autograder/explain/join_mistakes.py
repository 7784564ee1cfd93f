"""Order and join the words of recognised mistakes. What the student wrote decides between causes that look the same.

Numbers prove an effect, and several mistakes may have the same one. A mistake may declare patterns of code
(`Mistake.written`). If one of them is in the student's code, that mistake comes first, and the code is quoted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    """Return the words for one known mistake, for those with the same effect, or for two at once."""
    fitting = words.fitting(found.alternatives)
    if len(fitting[0]) > 1:
        first, second = map(words.says, fitting[0])
        says = f"Two mistakes at once. First: {first} Second: {second}"
        look = " And: ".join(map(words.look, fitting[0]))
    else:
        shown = [name for (name,) in fitting[:SHOWN_ALTERNATIVES]]
        says = " Or, with the same effect: ".join(dict.fromkeys(map(words.says, shown)))
        look = " Or: ".join(dict.fromkeys(map(words.look, shown)))
    return Feedback(Outcome.WRONG, says, look, mistakes=found.names, sure=True)
