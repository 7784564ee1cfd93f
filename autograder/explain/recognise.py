"""Recognise known mistakes in an answer: one, or several that look the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from autograder.compare import agrees
from autograder.exam.sketch import sketched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from autograder.exam.questions import (
        Answers,
        Asked,
        Exam,
        GeneratedAnswer,
        Origin,
        Question,
    )
    from autograder.results import Observation
    from autograder.values.values import Value

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


@dataclass(frozen=True)
class RecognisedEdits:
    """The small edits of the reference that an answer shows, of which nobody wrote what they mean.

    Attributes:
        origins: the kinds of edit, the plainest first; each describes the answer.
        sure: no edit with other answers fits.
    """

    origins: tuple[Origin, ...] = ()
    sure: bool = False


NO_EDITS = RecognisedEdits()


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


def recognise_edits(
    asked: Asked,
    seen: Observation,
    ask: Callable[[Question, int], Observation],
    beside: Once,
) -> RecognisedEdits:
    """Return the small edits of the reference that give these answers to all cases of the question's kind.

    If edits with different answers elsewhere fit, return only the kinds of edit that all of them share.

    Args:
        beside: makes the answers of the edits, which are made once for all submissions.
    """
    generated, probe = asked.exam.generated, asked.probe
    # What shows in a corner alone is right in the general cases.
    kind = "drawn" if asked.question.kind == "corner" else asked.question.kind
    questions = asked.exam.questions_for(asked.check, asked.criterion)
    others = [one for one in questions if one.kind == kind and one is not asked.question]
    answers = beside(partial(generated, asked.question, probe))
    # An edit whose answer is right here is no cause of this one.
    right = sketched(asked.right[0].value)
    fitting = _fitting([one for one in answers if not right.fits(one.sketch)], seen.value)
    for other in others:
        if fitting:
            answers = beside(partial(generated, other, probe))
            found = _fitting(answers, ask(other, probe).value)
            fitting = {group: origins for group, origins in fitting.items() if group in found}
    if not fitting:
        return NO_EDITS
    shared = set.intersection(*({code for _, code in origins} for origins in fitting.values()))
    every = dict.fromkeys(origin for origins in fitting.values() for origin in origins)
    told = tuple(origin for origin in every if origin[1] in shared)
    return RecognisedEdits(told, sure=len(fitting) == 1)


def _fitting(answers: Iterable[GeneratedAnswer], seen: Value) -> dict[int, tuple[Origin, ...]]:
    value = sketched(seen)
    return {answer.group: answer.origins for answer in answers if value.fits(answer.sketch)}


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
