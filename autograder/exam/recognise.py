"""Recognise known mistakes in an answer: one, or several that look the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograder.compare import agrees

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from autograder.exam.questions import (
        Answers,
        Asked,
        Exam,
        Question,
    )
    from autograder.results import Observation

    # Does what is done once for all submissions, and costs this one nothing.
    Once = Callable[[Callable[[], Any]], Any]


@dataclass(frozen=True)
class Recognition:
    """The known mistakes that an answer shows.

    Attributes:
        names: each one gives this answer.
        sure: there is only one, or all have the same effect.
    """

    names: tuple[str, ...] = ()
    sure: bool = False


NOTHING = Recognition()


def recognise_mistakes(
    asked: Asked, seen: Observation, ask: Callable[[Question, int], Observation]
) -> Recognition:
    """Return the mistakes that this answer and the answers to the other cases of its kind show."""
    return named(asked.exam, fitting_mistakes(asked, seen, ask))


def fitting_mistakes(
    asked: Asked, seen: Observation, ask: Callable[[Question, int], Observation]
) -> list[str]:
    """Return the known mistakes that give this answer, and those to the other cases of its kind.

    Two mistakes, or a known and an unknown one, may agree on one case by chance.
    """
    names = known_mistakes(asked.question.answers[asked.probe], seen)
    for other in asked.others:
        if names:
            found = known_mistakes(other.answers[asked.probe], ask(other, asked.probe))
            names = [name for name in names if name in found]
    return names


def known_mistakes(answers: Answers, seen: Observation) -> list[str]:
    """Return the known mistakes whose answer to one question this is."""
    if seen.error is not None:
        return []
    return [
        wrong.mistake for wrong in answers.wrong if agrees(wrong.value, seen.value, wrong.relative)
    ]


def named(exam: Exam, names: Sequence[str]) -> Recognition:
    """Return these mistakes, which are sure if all have the same effect."""
    return Recognition(tuple(names), sure=len({effect(exam, name) for name in names}) == 1)


def effect(exam: Exam, name: str) -> str:
    """Return the mistake that represents all mistakes with the same effect."""
    seen = set()
    while name in exam.synonyms and name not in seen:
        seen.add(name)
        name = exam.synonyms[name]
    return name
