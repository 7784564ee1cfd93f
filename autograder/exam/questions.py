"""The records of an exam: questions with all right answers and known wrong answers."""

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

# No run's seed is a string, so no graded run uses the released questions.
PUBLIC = "public"

CaseKind = Literal["drawn", "documented"]

Operation = Literal["observe", "graph"]


@dataclass(frozen=True)
class Wrong:
    """The answer of the reference with a known mistake.

    Attributes:
        relative: relative part of the tolerance for recognising this answer.
    """

    mistake: str
    value: Value
    relative: float = RELATIVE


@dataclass(frozen=True)
class Answers:
    """The right answers and the known wrong answers for one probe and one case."""

    right: tuple[Right, ...]
    wrong: tuple[Wrong, ...] = ()


@dataclass(frozen=True, eq=False)
class Request:
    """One run of one probe on a submission. A request equals only itself, so it can be a cache key.

    Attributes:
        operation: `observe` returns the probe's result; `graph` returns the inputs that the
            gradients of the result reach.
        probe: index of the probe in the criterion.
        inputs: the inputs of the probe.
    """

    operation: Operation
    step: str
    criterion: str
    probe: int
    inputs: Mapping[str, Value]

    @property
    def fields(self) -> dict[str, object]:
        """Return the request's fields as the worker receives them."""
        return {
            "op": self.operation,
            "check": self.step,
            "criterion": self.criterion,
            "probe": self.probe,
            "inputs": dict(self.inputs),
        }

    @cached_property
    def encoded(self) -> bytes:
        """Return the request as bytes, encoded once: all submissions share the requests."""
        return encode(freeze(self.fields))


@dataclass(frozen=True)
class Question:
    """One case for one criterion of a check.

    Attributes:
        answers: one entry per probe of the criterion.
        graph: what the gradients of the reference's answer reach. The student's answer is compared
            with this for a remark.
        requests: one `observe` request per probe of the criterion.
        graph_requests: one `graph` request per probe of the criterion.
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
        public: whether these are the released questions, which are never used for marks.
        mistakes: the tutor's feedback for each known mistake: meaning, and a hint where to look.
        remarks: the text of each remark for a right answer.
        synonyms: maps a mistake to another mistake with the same effect.
        substitution: the reference with some steps replaced. None for students, who have no
            reference.
    """

    assignment: Assignment
    questions: tuple[Question, ...]
    public: bool
    mistakes: Mapping[str, tuple[str, str]]
    remarks: Mapping[str, str]
    synonyms: Mapping[str, str] = field(default_factory=dict)
    substitution: Substitution | None = field(default=None, compare=False, repr=False)

    def about(self, check: Check, criterion: Criterion) -> tuple[Question, ...]:
        """Return the questions for one criterion, in order."""
        return self._by_criterion.get((check.name, criterion.name), ())

    def plan(self, first: Check) -> Iterator[Request]:
        """Yield the requests from this check on, in order, as if every answer were right."""
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
