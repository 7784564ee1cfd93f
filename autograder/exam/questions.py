"""The records of an exam: its questions, with every answer to them that is known beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from autograder.compare import RELATIVE, Right

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from autograder.assignment.checks import Aspect, Check
    from autograder.assignment.source import Assignment
    from autograder.exam.substitution import Substitution
    from autograder.values.values import Value

# No run's seed is a text, so no run asks the released questions.
PUBLIC = "public"

CaseKind = Literal["drawn", "documented"]


@dataclass(frozen=True)
class Wrong:
    """What the reference with a known mistake answers.

    Attributes:
        relative: the relative part of the tolerance within which it is recognised.
    """

    mistake: str
    value: Value
    relative: float = RELATIVE


@dataclass(frozen=True)
class Answers:
    """What is right, and what is known to be wrong, for one probe and one case."""

    right: tuple[Right, ...]
    wrong: tuple[Wrong, ...] = ()


@dataclass(frozen=True)
class Question:
    """One case for one aspect of a check.

    Attributes:
        answers: one entry for each of the aspect's probes.
        graph: what gradients reach through the reference's answer; the same is asked of the student's, for a remark.
    """

    step: str
    aspect: str
    kind: CaseKind
    inputs: Mapping[str, Value]
    answers: tuple[Answers, ...]
    graph: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exam:
    """All questions of a run.

    Attributes:
        public: the questions are the released ones; a mark never rests on them.
        mistakes: the tutor's words for each mistake that is named in an answer: what it means, where to look.
        remarks: the words for each remark that goes with a right answer.
        synonyms: for a mistake that is the same in effect as another one, that other one.
        substitution: the reference with parts exchanged; None on the public side, which has no reference.
    """

    assignment: Assignment
    questions: tuple[Question, ...]
    public: bool
    mistakes: Mapping[str, tuple[str, str]]
    remarks: Mapping[str, str]
    synonyms: Mapping[str, str] = field(default_factory=dict)
    substitution: Substitution | None = field(default=None, compare=False, repr=False)

    def about(self, check: Check, aspect: Aspect) -> tuple[Question, ...]:
        """The questions about one aspect, in order."""
        return self._by_aspect.get((check.name, aspect.name), ())

    def plan(self, first: Check) -> Iterator[tuple[str, str, str, int, Mapping[str, Value]]]:
        """What is asked from this check on, if all is right: operation, step, aspect, probe and inputs."""
        checks = self.assignment.checks
        for check in checks[checks.index(first) :]:
            for aspect in check.aspects:
                for question in self.about(check, aspect):
                    asked = (question.step, question.aspect, 0, question.inputs)
                    yield ("observe", *asked)
                    if question.graph:
                        yield ("graph", *asked)

    @cached_property
    def _by_aspect(self) -> dict[tuple[str, str], tuple[Question, ...]]:
        found: dict[tuple[str, str], tuple[Question, ...]] = {}
        for question in self.questions:
            key = (question.step, question.aspect)
            found[key] = (*found.get(key, ()), question)
        return found
