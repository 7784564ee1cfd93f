"""The questions of one run: inputs, right answers, and known wrong ones. Made once, asked of every submission."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from autograder.assignment.cases import DocumentedCase, Draw
from autograder.assignment.checks import DOCUMENTED, VALUE, Aspect, Check, Probe
from autograder.assignment.probes import forget_absent_devices, gradient_reach
from autograder.compare import RELATIVE, Right, agrees, distance
from autograder.errors import AssignmentError
from autograder.exam.questions import PUBLIC, Answers, Exam, Question, Wrong
from autograder.exam.reference import observe, try_to_observe
from autograder.exam.rounding import relative_tolerance, shaken
from autograder.exam.substitution import Substitution
from autograder.values.values import Value, freeze, thaw

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from autograder.assignment.mistakes import Mistake
    from autograder.assignment.source import Assignment, Source

DRAWN_CASES = 2
MAX_DRAWS = 100
# A draw in which a known mistake comes closer than this to the right answer is drawn again.
STANDS_OUT = 0.01


class _Memory:
    """What modules of our own answer: each is asked once for the same, though it is needed several times."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, ...], tuple[tuple[object, ...], tuple[Value] | None]] = {}

    def observe(
        self, probe: Probe, module: ModuleType, inputs: Mapping[str, Value]
    ) -> tuple[Value] | None:
        """The answer, or None where the module raises instead."""
        asked = (probe, module, inputs)
        key = tuple(map(id, asked))
        if key not in self._kept:  # with what was asked: nothing else may get its ids
            self._kept[key] = (asked, try_to_observe(*asked))
        return self._kept[key][1]


class _Examiner:
    """Makes questions from the reference and from the reference with each mistake."""

    def __init__(self, source: Source, seed: int | str) -> None:
        self.source = source
        self.seed = seed
        self.reference = source.reference()
        self.wrong = [(mistake, source.reference(mistake.replaced)) for mistake in source.mistakes]
        self.uses = source.uses
        self.substitution = Substitution(source)
        self._observe = _Memory().observe
        self._same = {mistake.name: mistake.same_as for mistake in source.mistakes}

    def _right(self, probe: Probe, inputs: Mapping[str, Value]) -> Value:
        answer = self._observe(probe, self.reference, inputs)
        return answer[0] if answer else observe(probe, self.reference, inputs)  # which raises

    def questions(self, check: Check) -> list[Question]:
        drawn = [self._drawn_inputs(check, number) for number in range(DRAWN_CASES)]
        questions = []
        for aspect in check.aspects:
            if aspect.name == DOCUMENTED:
                questions += [self._documented(check, aspect, case) for case in self._cases(check)]
            else:  # no mark rests on a remark: one case is enough
                cases = drawn[:1] if aspect.remark else drawn
                questions += [self._drawn(check, aspect, inputs) for inputs in cases]
            if aspect.name == VALUE and check.differentiable:
                questions[0] = replace(questions[0], graph=self._reach(aspect, drawn[0]))
        return questions

    def _reach(self, aspect: Aspect, inputs: dict[str, Value]) -> tuple[str, ...]:
        arguments = {name: thaw(value) for name, value in inputs.items()}
        return tuple(gradient_reach(aspect.probes[0], self.reference, arguments))

    def _cases(self, check: Check) -> list[DocumentedCase]:
        declared = self.source.cases.documented.get(check.name)
        if declared is None:
            raise AssignmentError(f"cases.py has no documented case for `{check.name}`.")
        return list(declared(self.reference, self.source.numbers))

    def _documented(self, check: Check, aspect: Aspect, case: DocumentedCase) -> Question:
        inputs = _plain(case.inputs)
        answers = tuple(
            Answers(case.right, self._wrong(check, aspect, probe, inputs))
            for probe in aspect.probes
        )
        return Question(check.name, aspect.name, "documented", inputs, answers)

    def _drawn(self, check: Check, aspect: Aspect, inputs: dict[str, Value]) -> Question:
        answers = tuple(
            Answers(
                (Right(self._right(probe, inputs)),),
                self._wrong(check, aspect, probe, inputs),
            )
            for probe in aspect.probes
        )
        return Question(check.name, aspect.name, "drawn", inputs, answers)

    def _wrong(
        self, check: Check, aspect: Aspect, probe: Probe, inputs: dict[str, Value]
    ) -> tuple[Wrong, ...]:
        """What is answered with each mistake that shows here: in this step or, for its value, in one that it calls.

        Of a called step's mistake that is declared the same as one of this step's, the nearer one is meant.
        """
        steps = self._own_steps(check)
        own = self._answered(aspect, probe, inputs, steps)
        if aspect.name != VALUE:
            return own
        called = self._answered(aspect, probe, inputs, self.uses[check.name] - steps)
        near = {self._effect(wrong.mistake) for wrong in own}
        return own + tuple(wrong for wrong in called if self._effect(wrong.mistake) not in near)

    def _effect(self, name: str) -> str:
        """The mistake that stands for all that are declared the same."""
        while self._same[name]:
            name = self._same[name]
        return name

    def _own_steps(self, check: Check) -> set[str]:
        """The step, and the functions of `restated.py` that it is made of."""
        others = {other.name for other in self.source.assignment.checks} - {check.name}
        return self.uses[check.name] - others

    def _answered(
        self,
        aspect: Aspect,
        probe: Probe,
        inputs: dict[str, Value],
        steps: set[str],
    ) -> tuple[Wrong, ...]:
        right = self._right(probe, inputs)
        moved = shaken(inputs)
        found = []
        for mistake, module in self.wrong:
            if mistake.step in steps and mistake.shows_in == aspect.name:
                answer = self._observe(probe, module, inputs)
                if answer is not None and not agrees(right, answer[0]):
                    other = try_to_observe(probe, module, moved)
                    relative = relative_tolerance(answer[0], other[0]) if other else RELATIVE
                    found.append(Wrong(mistake.name, answer[0], relative))
        return tuple(found)

    def _drawn_inputs(self, check: Check, number: int) -> dict[str, Value]:
        """Inputs for which each mistake in this step stands out."""
        function = self.source.cases.drawn[check.name]
        own = self._own_steps(check)
        hidden: list[Mistake] = []
        for attempt in range(MAX_DRAWS):
            draw = Draw(self.seed, self.source.assignment.name, check.name, number, attempt)
            inputs = _plain(function(draw))
            hidden = [
                mistake
                for mistake, module in self.wrong
                if mistake.step in own and self._hides(check, mistake, module, inputs)
            ]
            if not hidden:
                return inputs
        names = ", ".join(mistake.name for mistake in hidden)
        raise AssignmentError(
            f"In {MAX_DRAWS} draws for `{check.name}` these mistakes could not be told from the right answer: {names}."
        )

    def _hides(
        self, check: Check, mistake: Mistake, module: ModuleType, inputs: dict[str, Value]
    ) -> bool:
        if mistake.shows_in == DOCUMENTED or not check.has(mistake.shows_in):
            return False
        probe = check.aspect(mistake.shows_in).probes[0]
        seen = self._observe(probe, module, inputs)
        if seen is None:
            return False
        return distance(self._right(probe, inputs), seen[0]) < STANDS_OUT


def draw_exam(source: Source, seed: int | str) -> Exam:
    """The questions of a run: drawn from `seed`, and the documents'. The released questions are those of seed PUBLIC.

    Raises AssignmentError if the assignment's cases do not suffice to tell its known mistakes from what is right.
    """
    import torch  # noqa: PLC0415 - the public side has no reference and does without

    torch.set_num_threads(1)  # for matrices of a few numbers, threads only wait for each other
    forget_absent_devices()
    examiner = _Examiner(source, seed)
    questions = [
        question for check in source.assignment.checks for question in examiner.questions(check)
    ]
    words = {mistake.name: (mistake.says, mistake.look) for mistake in source.mistakes}
    return Exam(
        source.assignment,
        tuple(questions),
        public=seed == PUBLIC,
        mistakes=words,
        remarks={**source.remarks, **_remarks(source.assignment)},
        synonyms={one.name: one.same_as for one in source.mistakes if one.same_as},
        substitution=examiner.substitution,
    )


def _remarks(assignment: Assignment) -> dict[str, str]:
    aspects = (aspect for check in assignment.checks for aspect in check.aspects)
    return {aspect.name: aspect.remark for aspect in aspects if aspect.remark}


def _plain(arguments: Mapping[str, Any]) -> dict[str, Value]:
    return {name: freeze(thing) for name, thing in arguments.items()}
