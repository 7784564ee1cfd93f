"""The records of an exam: its questions, with every answer to them that is known beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from autograder.compare import RELATIVE, Right
from autograder.values.values import freeze
from autograder.values.wire import encode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from autograder.assignment.checks import Check, Criterion
    from autograder.assignment.source import Assignment
    from autograder.exam.substitution import Substitution
    from autograder.values.values import Value

# No run's seed is a text, so no run asks the released questions.
PUBLIC = "public"

CaseKind = Literal["drawn", "documented"]

Operation = Literal["observe", "graph"]


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


@dataclass(frozen=True, eq=False)
class Request:
    """One run of one probe on a submission. A request equals only itself, so it can be the key of a cache.

    Attributes:
        operation: `observe` what the probe returns, or which inputs the gradients of that reach (`graph`).
        probe: the number of the probe among those of the criterion.
        inputs: what the probe is called with.
    """

    operation: Operation
    step: str
    criterion: str
    probe: int
    inputs: Mapping[str, Value]

    @property
    def fields(self) -> dict[str, object]:
        """The request as a worker receives it."""
        return {
            "op": self.operation,
            "check": self.step,
            "criterion": self.criterion,
            "probe": self.probe,
            "inputs": dict(self.inputs),
        }

    @cached_property
    def encoded(self) -> bytes:
        """The request as bytes. All submissions get the same requests, so each is encoded once."""
        return encode(freeze(self.fields))


@dataclass(frozen=True)
class Question:
    """One case for one criterion of a check.

    Attributes:
        answers: one entry for each of the criterion's probes.
        graph: what gradients reach through the reference's answer; the same is asked of the student's, for a remark.
        requests: one for each of the criterion's probes.
        graph_requests: the same, for what gradients reach.
    """

    step: str
    criterion: str
    kind: CaseKind
    inputs: Mapping[str, Value]
    answers: tuple[Answers, ...]
    graph: tuple[str, ...] = ()
    requests: tuple[Request, ...] = field(init=False, repr=False, compare=False)
    graph_requests: tuple[Request, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "requests", self._requests("observe"))
        object.__setattr__(self, "graph_requests", self._requests("graph"))

    def _requests(self, operation: Operation) -> tuple[Request, ...]:
        return tuple(
            Request(operation, self.step, self.criterion, probe, self.inputs)
            for probe in range(len(self.answers))
        )


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

    def about(self, check: Check, criterion: Criterion) -> tuple[Question, ...]:
        """The questions about one criterion, in order."""
        return self._by_criterion.get((check.name, criterion.name), ())

    def plan(self, first: Check) -> Iterator[Request]:
        """The requests from this check on, in order, if every answer is right."""
        checks = self.assignment.checks
        for check in checks[checks.index(first) :]:
            for criterion in check.criteria:
                for question in self.about(check, criterion):
                    yield question.requests[0]
                    if question.graph:
                        yield question.graph_requests[0]

    @cached_property
    def _by_criterion(self) -> dict[tuple[str, str], tuple[Question, ...]]:
        found: dict[tuple[str, str], tuple[Question, ...]] = {}
        for question in self.questions:
            key = (question.step, question.criterion)
            found[key] = (*found.get(key, ()), question)
        return found
