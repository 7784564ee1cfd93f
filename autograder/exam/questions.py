"""The records of an exam: questions with all right answers and known wrong answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np  # noqa: TC002 - `records` reads the annotations
import numpy.typing as npt  # noqa: TC002

from autograder.assignment.checks import VALUE
from autograder.compare import RELATIVE, Right
from autograder.values.extent import extent, limit_beside
from autograder.values.values import Value, freeze
from autograder.values.wire import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from autograder.assignment.checks import Check, Criterion
    from autograder.assignment.source import Assignment
    from autograder.exam.substitution import Substitution
    from autograder.values.extent import Extent

# No run's seed is a string, so no graded run uses the released questions.
PUBLIC = "public"

CaseKind = Literal["drawn", "corner", "documented"]

Operation = Literal["observe", "graph", "trace", "try"]


@dataclass(frozen=True)
class MistakeAnswer:
    """The answer of the reference with a known mistake.

    Attributes:
        relative: relative part of the tolerance for recognising this answer.
    """

    mistake: str
    value: Value
    relative: float = RELATIVE


@dataclass(frozen=True)
class Answers:
    """The right answers and the known wrong answers for one probe and one case.

    Attributes:
        make_wrong: returns the known wrong answers, which are made when one of them is asked for.
    """

    right: tuple[Right, ...]
    make_wrong: Callable[[], tuple[MistakeAnswer, ...]] = field(
        default=tuple, repr=False, compare=False
    )

    @cached_property
    def wrong(self) -> tuple[MistakeAnswer, ...]:
        """The known wrong answers."""
        return self.make_wrong()


@dataclass(frozen=True, eq=False)
class Request:
    """One run of one probe on a submission. A request equals only itself, so it can be a cache key.

    Attributes:
        operation: `observe` returns the probe's result; `trace` the same, with what the student's expressions
            computed; `graph` the inputs that the gradients of the result reach; `try` the result with another
            definition.
        probe: index of the probe in `Criterion.all_probes`.
        inputs: the inputs of the probe.
        edited: the file or cell of a definition, its line, and the text in its place; nothing for what is no `try`.
    """

    operation: Operation
    step: str
    criterion: str
    probe: int
    inputs: Mapping[str, Value]
    edited: tuple[str, int, str] | tuple[()] = ()

    @property
    def fields(self) -> dict[str, object]:
        """Return the request's fields as the worker receives them."""
        fields = {
            "op": self.operation,
            "check": self.step,
            "criterion": self.criterion,
            "probe": self.probe,
            "inputs": dict(self.inputs),
        }
        return fields | {"edited": list(self.edited)} if self.edited else fields

    @cached_property
    def encoded(self) -> bytes:
        """Return the request as a message, encoded once: all submissions share the requests."""
        return encode(freeze(self.fields))

    @cached_property
    def optional(self) -> bytes:
        """Return a message that the worker puts off if the step's value raised an exception or is far too large.

        Few of these answers are needed then, and each may take seconds.
        """
        return encode(freeze(self.fields | {"optional": True}))


class Ahead(NamedTuple):
    """A request that is sent before it is asked for.

    Attributes:
        step: the step that it is about; empty for none.
        request: the message with which it is asked for.
        message: the message that is sent: of an optional request another one.
    """

    step: str
    request: bytes
    message: bytes


@dataclass(frozen=True)
class Question:
    """One case for one criterion of a check.

    Attributes:
        answers: one entry per probe of the criterion, with its fallback.
        graph: what the gradients of the reference's answer reach. The student's answer is compared
            with this for a remark.
        special: what is special about a corner, in words: "with one token".
        requests: one `observe` request per probe.
    """

    step: str
    criterion: str
    kind: CaseKind
    inputs: Mapping[str, Value]
    answers: tuple[Answers, ...]
    graph: tuple[str, ...] = ()
    special: str = ""
    requests: tuple[Request, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "requests", self._requests("observe"))

    @cached_property
    def graph_requests(self) -> tuple[Request, ...]:
        """One `graph` request per probe."""
        return self._requests("graph")

    def admits(self, probe: int, value: Value) -> bool:
        """Return whether an answer is small enough, beside the known answers, to search for its cause."""
        answers, size = self.answers[probe], extent(value)
        if size.within(self._limits[probe]):
            return True
        known = [right.value for right in answers.right] + [one.value for one in answers.wrong]
        return size.within(limit_beside(known))

    @cached_property
    def _limits(self) -> tuple[Extent, ...]:
        """The limits beside the right answers alone, which nearly every answer keeps."""
        return tuple(
            limit_beside(right.value for right in answers.right) for answers in self.answers
        )

    def _requests(self, operation: Operation) -> tuple[Request, ...]:
        return tuple(
            Request(operation, self.step, self.criterion, probe, self.inputs)
            for probe in range(len(self.answers))
        )


@dataclass(frozen=True, eq=False)
class RightValues:
    """What the right computation has on its way.

    Attributes:
        arrays: the arrays of real numbers: inputs, what expressions compute, the answer.
        masks: the arrays of truth values.
        kinds: the kinds of operations that it has.
        names: the names of arguments and variables, each with the number of its array.
        lists: the numbers of the first and the last array of each list of several.
        steps: the steps that it calls, each with the numbers of the first and the last array of the result.
    """

    arrays: tuple[npt.NDArray[np.float64], ...]
    masks: tuple[npt.NDArray[np.bool_], ...]
    kinds: frozenset[str]
    names: tuple[tuple[str, int], ...] = ()
    lists: tuple[tuple[int, int], ...] = ()
    steps: tuple[tuple[str, int, int], ...] = ()


NO_VALUES = RightValues((), (), frozenset())


def unknown(_question: Question, _probe: int) -> None:
    """Know no right values."""


@dataclass(frozen=True)
class Exam:
    """All questions of a run.

    Attributes:
        public: whether these are the released questions, which are never used for marks.
        mistakes: the tutor's feedback for each known mistake: meaning, and a hint where to look.
        remarks: the text of each remark for a right answer.
        inside: for a mistake with other words where another step shows it: its own step, and these words.
        tasks: maps a mistake to the step whose task is done in a wrong way.
        synonyms: maps a mistake to another mistake with the same effect.
        substitution: the reference with some steps replaced. None for students, who have no
            reference.
        changed: the names of the released files that were changed.
        right_values: returns the values on the way to the right answer of a question to a probe; None if unknown.
    """

    assignment: Assignment
    questions: tuple[Question, ...]
    public: bool
    mistakes: Mapping[str, tuple[str, str]]
    remarks: Mapping[str, str]
    tasks: Mapping[str, str] = field(default_factory=dict)
    synonyms: Mapping[str, str] = field(default_factory=dict)
    inside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    substitution: Substitution | None = field(default=None, compare=False, repr=False)
    changed: tuple[str, ...] = ()
    right_values: Callable[[Question, int], RightValues | None] = field(
        default=unknown, compare=False, repr=False
    )

    def questions_for(self, check: Check, criterion: Criterion) -> tuple[Question, ...]:
        """Return the questions for one criterion, in order."""
        return self._by_criterion.get((check.name, criterion.name), ())

    def make_wrong_answers(self, step: str) -> None:
        """Make the known wrong answers of a step that were not made yet."""
        for question in self.questions:
            for answers in question.answers if question.step == step else ():
                _ = answers.wrong

    @cached_property
    def plan(self) -> tuple[Ahead, ...]:
        """The requests of all checks, in order, as if every answer were right."""
        return tuple(ahead for check in self.assignment.checks for ahead in self._of_check(check))

    def _of_check(self, check: Check) -> Iterator[Ahead]:
        """Yield the requests of a check. But for criteria that are asked whatever the value is they are optional."""
        for criterion in check.criteria:
            is_optional = not criterion.alone or criterion.fallback
            for question in self.questions_for(check, criterion):
                for request in question.requests[:1] + question.graph_requests[:1]:
                    if request.operation != "graph" or question.graph:
                        message = request.optional if is_optional else request.encoded
                        yield Ahead(check.name, request.encoded, message)

    @cached_property
    def _by_criterion(self) -> dict[tuple[str, str], tuple[Question, ...]]:
        questions: dict[tuple[str, str], tuple[Question, ...]] = {}
        for question in self.questions:
            key = (question.step, question.criterion)
            questions[key] = (*questions.get(key, ()), question)
        return questions


@dataclass(frozen=True)
class Asked:
    """One question to one probe of a check; `probe` is its number in `Criterion.all_probes`."""

    exam: Exam
    check: Check
    criterion: Criterion
    question: Question
    probe: int

    @property
    def right(self) -> tuple[Right, ...]:
        """The right answers: one is enough."""
        return self.question.answers[self.probe].right

    @property
    def is_value(self) -> bool:
        """Whether the step's value is asked for."""
        return self.criterion.name == VALUE

    @property
    def others(self) -> tuple[Question, ...]:
        """The criterion's other questions of the same kind: a corner is no example of the general cases."""
        questions = self.exam.questions_for(self.check, self.criterion)
        kind = self.question.kind
        return tuple(
            other for other in questions if other is not self.question and other.kind == kind
        )
