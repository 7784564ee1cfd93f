"""The questions of one run: inputs, right answers, and known wrong ones. Made once, asked of every submission."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from autograder.cases import DocumentedCase, Draw, Right
from autograder.checks import DOCUMENTED, Aspect, Check, Probe
from autograder.compare import distance
from autograder.errors import AssignmentError
from autograder.probing import run
from autograder.values import Value, freeze, thaw

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from autograder.assignment import Assignment, Source
    from autograder.mistakes import Mistake

CaseKind = Literal["drawn", "documented"]

# No run's seed is a text, so no run asks the released questions.
PUBLIC = "public"
DRAWN_CASES = 2
MAX_DRAWS = 100
# A draw in which a known mistake comes closer than this to the right answer is drawn again.
STANDS_OUT = 0.01


@dataclass(frozen=True)
class Wrong:
    """What the reference with a known mistake answers."""

    mistake: str
    value: Value


@dataclass(frozen=True)
class Answers:
    """What is right, and what is known to be wrong, for one probe and one case."""

    right: tuple[Right, ...]
    wrong: tuple[Wrong, ...] = ()


@dataclass(frozen=True)
class Question:
    """One case for one aspect of a check; `answers` has an entry for each of the aspect's probes."""

    step: str
    aspect: str
    kind: CaseKind
    inputs: Mapping[str, Value]
    answers: tuple[Answers, ...]


@dataclass(frozen=True)
class Exam:
    """All questions of a run.

    Attributes:
        public: the questions are the released ones; a mark never rests on them.
        mistakes: the tutor's words for each mistake that is named in an answer: what it means, where to look.
    """

    assignment: Assignment
    questions: tuple[Question, ...]
    public: bool
    mistakes: Mapping[str, tuple[str, str]]

    def about(self, check: Check, aspect: Aspect) -> tuple[Question, ...]:
        """The questions about one aspect, in order."""
        return tuple(
            question
            for question in self.questions
            if question.step == check.name and question.aspect == aspect.name
        )


class _Examiner:
    """Makes questions from the reference and from the reference with each mistake."""

    def __init__(self, source: Source, seed: int | str) -> None:
        self.source = source
        self.seed = seed
        self.reference = source.reference()
        self.wrong = [
            (mistake, source.reference({mistake.step: mistake.replacement}))
            for mistake in source.mistakes
        ]

    def questions(self, check: Check) -> list[Question]:
        drawn = [self._drawn_inputs(check, number) for number in range(DRAWN_CASES)]
        questions = []
        for aspect in check.aspects:
            if aspect.name == DOCUMENTED:
                questions += [self._documented(check, aspect, case) for case in self._cases(check)]
            else:
                questions += [self._question(check, aspect, "drawn", inputs) for inputs in drawn]
        return questions

    def _cases(self, check: Check) -> list[DocumentedCase]:
        declared = self.source.cases.documented.get(check.name)
        if declared is None:
            raise AssignmentError(f"cases.py has no documented case for `{check.name}`.")
        return list(declared(self.reference, self.source.numbers))

    def _documented(self, check: Check, aspect: Aspect, case: DocumentedCase) -> Question:
        inputs = _plain(case.inputs)
        question = self._question(check, aspect, "documented", inputs)
        answers = tuple(Answers(case.right, answer.wrong) for answer in question.answers)
        return Question(check.name, aspect.name, "documented", inputs, answers)

    def _question(
        self, check: Check, aspect: Aspect, kind: CaseKind, inputs: dict[str, Value]
    ) -> Question:
        answers = tuple(self._answers(probe, inputs) for probe in aspect.probes)
        return Question(check.name, aspect.name, kind, inputs, answers)

    def _answers(self, probe: Probe, inputs: dict[str, Value]) -> Answers:
        right = observe(probe, self.reference, inputs)
        wrong = []
        for mistake, module in self.wrong:
            seen = _observe_mistake(probe, module, inputs)
            if seen is not None and distance(right, seen[0]) > STANDS_OUT / 2:
                wrong.append(Wrong(mistake.name, seen[0]))
        return Answers((Right(right),), tuple(wrong))

    def _drawn_inputs(self, check: Check, number: int) -> dict[str, Value]:
        function = self.source.cases.drawn[check.name]
        shows = [(mistake, module) for mistake, module in self.wrong if mistake.step == check.name]
        hidden: list[Mistake] = []
        for attempt in range(MAX_DRAWS):
            draw = Draw(self.seed, self.source.assignment.name, check.name, number, attempt)
            inputs = _plain(function(draw))
            hidden = [
                mistake
                for mistake, module in shows
                if mistake.shows_in != DOCUMENTED
                and not self._stands_out(check, mistake, module, inputs)
            ]
            if not hidden:
                return inputs
        names = ", ".join(mistake.name for mistake in hidden)
        raise AssignmentError(
            f"In {MAX_DRAWS} draws for `{check.name}` these mistakes could not be told from the right answer: {names}."
        )

    def _stands_out(
        self, check: Check, mistake: Mistake, module: ModuleType, inputs: dict[str, Value]
    ) -> bool:
        probe = check.aspect(mistake.shows_in).probes[0]
        seen = _observe_mistake(probe, module, inputs)
        return (
            seen is None or distance(observe(probe, self.reference, inputs), seen[0]) >= STANDS_OUT
        )


def draw_exam(source: Source, seed: int | str) -> Exam:
    """The questions of a run: drawn from `seed`, and the documents'. The released questions are those of seed PUBLIC.

    Raises AssignmentError if the assignment's cases do not suffice to tell its known mistakes from what is right.
    """
    examiner = _Examiner(source, seed)
    questions = [
        question for check in source.assignment.checks for question in examiner.questions(check)
    ]
    words = {mistake.name: (mistake.says, mistake.look) for mistake in source.mistakes}
    return Exam(source.assignment, tuple(questions), public=seed == PUBLIC, mistakes=words)


def observe(probe: Probe, module: ModuleType, inputs: Mapping[str, Value]) -> Value:
    """What a probe sees of one of our own modules, in this process."""
    return freeze(run(probe, module, {name: thaw(value) for name, value in inputs.items()}))


def _observe_mistake(
    probe: Probe, module: ModuleType, inputs: Mapping[str, Value]
) -> tuple[Value] | None:
    """The same of a module with a mistake; None where that mistake raises instead of answering."""
    try:
        return (observe(probe, module, inputs),)
    except Exception:  # noqa: BLE001 - many mistakes raise for some shapes; that is no answer to recognise
        return None


def _plain(arguments: Mapping[str, Any]) -> dict[str, Value]:
    return {name: freeze(thing) for name, thing in arguments.items()}
