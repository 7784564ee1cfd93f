"""Recognise known mistakes in an answer: one, two at once, or several that look the same."""

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
    from autograder.exam.substitution import PairTable
    from autograder.results import Observation
    from autograder.values.values import Value

    # Does what is done once for all submissions, and costs this one nothing.
    Once = Callable[[Callable[[], Any]], Any]


@dataclass(frozen=True)
class Recognition:
    """The known mistakes that an answer shows.

    Attributes:
        alternatives: each one gives this answer. An alternative is one mistake, or two made at once.
        sure: there is only one alternative, or all have the same effect.
    """

    alternatives: tuple[tuple[str, ...], ...] = ()
    sure: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The mistakes of all alternatives, each once."""
        return tuple(
            dict.fromkeys(name for alternative in self.alternatives for name in alternative)
        )


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
    asked: Asked, seen: Observation, ask: Callable[[Question, int], Observation], once: Once
) -> Recognition:
    """Return the mistakes that this answer and the answers to the other cases of its kind show.

    Two mistakes of called steps at once are looked for only if no single one fits.

    Args:
        once: makes the answers of all pairs, which are made once for all submissions.
    """
    names = fitting_mistakes(asked, seen, ask)
    alternatives = [(name,) for name in names] or fitting_pairs(asked, seen, ask, once)
    return named(asked.exam, alternatives) if alternatives else NOTHING


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


def fitting_pairs(
    asked: Asked,
    seen: Observation,
    ask: Callable[[Question, int], Observation],
    once: Once,
) -> list[tuple[str, ...]]:
    """Return the pairs of mistakes of called steps that give these answers, in the value criterion's first question."""
    substitution, probe, question = asked.exam.substitution, asked.probe, asked.question
    first = asked.exam.questions_for(asked.check, asked.criterion)[0]
    if substitution is None or seen.error or not asked.is_value or question is not first:
        return []
    function = asked.criterion.all_probes[probe]
    table: PairTable = once(
        partial(substitution.pairs, asked.check.name, function, question.inputs)
    )
    pairs = table.near(seen.value)
    for one in (question, *asked.others):
        if pairs:
            value = ask(one, probe).value
            pairs = [
                pair
                for pair in pairs
                if substitution.matches_pair(pair, function, one.inputs, value)
            ]
    return pairs


def named(exam: Exam, alternatives: Sequence[tuple[str, ...]]) -> Recognition:
    """Return these alternatives, which are sure if all have the same effect."""
    effects = {
        frozenset(effect(exam, name) for name in alternative) for alternative in alternatives
    }
    return Recognition(tuple(alternatives), sure=len(effects) == 1)


def effect(exam: Exam, name: str) -> str:
    """Return the mistake that represents all mistakes with the same effect."""
    seen = set()
    while name in exam.synonyms and name not in seen:
        seen.add(name)
        name = exam.synonyms[name]
    return name
