"""Which known mistakes an answer shows: one, two at once, or several that look the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.checks import VALUE
from autograder.compare import agrees

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from autograder.assignment.checks import Check, Criterion
    from autograder.exam.questions import Answers, Exam, Question
    from autograder.results import Observation


@dataclass(frozen=True)
class Named:
    """The known mistakes that an answer looks like.

    Attributes:
        alternatives: any one of these would answer so; each is one mistake, or two that are made at once.
        sure: there is one alternative only, or all are the same in effect.
    """

    alternatives: tuple[tuple[str, ...], ...] = ()
    sure: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Every mistake in any of them."""
        return tuple(dict.fromkeys(name for one in self.alternatives for name in one))


NOTHING = Named()

# A longer list of causes explains nothing.
MOST_ALTERNATIVES = 4


def name_mistakes(
    exam: Exam,
    check: Check,
    question: Question,
    probe: int,
    seen: Observation,
    ask: Callable[[Question, int], Observation],
) -> Named:
    """The mistakes that this answer shows, and that the answers to the other cases of this kind show too.

    Two mistakes, or a mistake and an unknown one, may agree on one case by chance. Two at once are looked for only
    where no single one is found, and only in the first drawn answer to the step itself.
    """
    criterion = check.criterion(question.criterion)
    about = exam.about(check, criterion)
    others = [one for one in about if one is not question and one.kind == question.kind]
    names = _known(question.answers[probe], seen)
    for other in others:
        if names:
            found = _known(other.answers[probe], ask(other, probe))
            names = [name for name in names if name in found]
    if names:
        return named(exam, [(name,) for name in names])
    if criterion.name != VALUE or question is not about[0]:
        return NOTHING
    return named(exam, _pairs(exam, check, criterion, question, others, probe, seen, ask))


def _known(answers: Answers, seen: Observation) -> list[str]:
    return [
        wrong.mistake for wrong in answers.wrong if agrees(wrong.value, seen.value, wrong.relative)
    ]


def _pairs(
    exam: Exam,
    check: Check,
    criterion: Criterion,
    question: Question,
    others: list[Question],
    probe: int,
    seen: Observation,
    ask: Callable[[Question, int], Observation],
) -> list[tuple[str, str]]:
    substitution = exam.substitution
    if substitution is None:
        return []
    function = criterion.probes[probe]
    pairs = substitution.pairs(check.name, function, question.inputs, seen.value)
    for other in others:
        if pairs:
            value = ask(other, probe).value
            pairs = [
                pair for pair in pairs if substitution.answers(pair, function, other.inputs, value)
            ]
    return pairs


def named(exam: Exam, alternatives: Sequence[tuple[str, ...]]) -> Named:
    """What is named by these alternatives; of too many to choose from, only what all of them have in common."""
    effects = {frozenset(effect(exam, name) for name in one) for one in alternatives}
    if len(effects) > MOST_ALTERNATIVES:
        common = [name for name in alternatives[0] if all(name in one for one in alternatives)]
        return Named((tuple(common),)) if common else NOTHING
    return Named(tuple(alternatives), sure=len(effects) == 1)


def effect(exam: Exam, name: str) -> str:
    """The mistake that stands for all that are the same in effect."""
    seen = set()
    while name in exam.synonyms and name not in seen:
        seen.add(name)
        name = exam.synonyms[name]
    return name


def only_paid(exam: Exam, found: Named, paid: Container[str]) -> Named:
    """The alternatives all of whose mistakes an earlier step paid for; nothing where there are none."""
    repeated = [
        one for one in found.alternatives if all(effect(exam, name) in paid for name in one)
    ]
    return named(exam, repeated)
