"""Make the questions of one run: inputs, right answers and known wrong answers.

The questions are made once and used for every submission.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from autograder.assignment.authored import Problem, authors_code, refusal
from autograder.assignment.cases import Draw
from autograder.assignment.checks import DOCUMENTED, VALUE, Check, Criterion, Probe, probe_name
from autograder.assignment.probes import gradient_reach, skip_absent_devices
from autograder.compare import RELATIVE, Right, compare, distance
from autograder.exam.authors_values import (
    documented_cases,
    drawn_inputs,
    refuse_other_parts,
    refuse_unusable_answer,
)
from autograder.exam.questions import PUBLIC, Answers, CaseKind, Exam, MistakeAnswer, Question
from autograder.exam.reference import observe, try_to_observe
from autograder.exam.right_values import RightTracer
from autograder.exam.rounding import relative_tolerance, shaken
from autograder.exam.substitution import Substitution
from autograder.values.values import Value, thaw

if TYPE_CHECKING:
    from types import ModuleType

    from autograder.assignment.mistakes import Mistake
    from autograder.assignment.source import Assignment, Source
    from autograder.exam.reference import Answer

DRAWN_CASES = 2
MAX_DRAWS = 100
# Draw again if a known mistake's answer is closer than this to the right answer.
STANDS_OUT = 0.01


@dataclass
class _Case:
    """The inputs of one case, and the answers of our own modules: several questions need the same answer."""

    inputs: dict[str, Value]
    _answers: dict[tuple[Probe, ModuleType], Answer] = field(default_factory=dict)

    def answer(self, probe: Probe, module: ModuleType) -> Answer:
        """Return the answer, or None if the module raises an exception."""
        key = (probe, module)
        if key not in self._answers:
            self._answers[key] = try_to_observe(probe, module, self.inputs)
        return self._answers[key]


class _Examiner:
    """Make questions from the reference, and from the reference with each mistake."""

    def __init__(self, source: Source, seed: int | str) -> None:
        self.source = source
        self.seed = seed
        self.reference = source.reference()
        self.wrong = [(mistake, source.reference(mistake.replaced)) for mistake in source.mistakes]
        self.uses = source.uses
        self.substitution = Substitution(source)
        self._synonyms = {mistake.name: mistake.same_as for mistake in source.mistakes}

    def _right(self, probe: Probe, case: _Case) -> Value:
        answer = case.answer(probe, self.reference)
        if answer is None:
            doing = f"while the reference answers `{probe_name(probe)}`"
            with authors_code(self.source.assignment.folder, doing):
                return observe(probe, self.reference, case.inputs)  # which raises
        return answer[0]

    def questions(self, check: Check) -> list[Question]:
        drawn = self._drawn_cases(check)
        questions = []
        for criterion in check.criteria:
            if criterion.name == DOCUMENTED:
                questions += [
                    self._question(
                        check, criterion, "documented", _Case(dict(one.inputs)), one.right
                    )
                    for one in documented_cases(self.source, check, self.reference)
                ]
            else:  # a remark costs no points: one case is enough
                cases = drawn[:1] if criterion.remark else drawn
                questions += [self._question(check, criterion, "drawn", case) for case in cases]
            if criterion.name == VALUE:
                graph = self._reach(criterion, drawn[0]) if check.differentiable else ()
                questions[0] = replace(questions[0], graph=graph)
                if check.name in self.source.cases.corner:
                    questions.append(self._corner(check, criterion))
        return questions

    def _reach(self, criterion: Criterion, case: _Case) -> tuple[str, ...]:
        arguments = {name: thaw(value) for name, value in case.inputs.items()}
        return tuple(gradient_reach(criterion.probes[0], self.reference, arguments))

    def _question(
        self,
        check: Check,
        criterion: Criterion,
        kind: CaseKind,
        case: _Case,
        documented: tuple[Right, ...] = (),
        special: str = "",
    ) -> Question:
        """Return the question about a case. A corner knows no wrong answers.

        Every known mistake is wrong in the general cases, too. An answer that is right there and wrong in the
        corner comes from something else, even if few numbers happen to agree.
        """
        answers = []
        for probe in criterion.all_probes:
            usable = self._usable(criterion, probe, case)
            wrong = partial(self._wrong, check, criterion, probe, case)
            answers.append(Answers(documented or usable, tuple if kind == "corner" else wrong))
        return Question(
            check.name, criterion.name, kind, case.inputs, tuple(answers), special=special
        )

    def _corner(self, check: Check, criterion: Criterion) -> Question:
        cases = self.source.cases
        draw = Draw(self.seed, self.source.assignment.name, check.name, "corner")
        case = _Case(drawn_inputs(self.source, check, cases.corner[check.name], draw))
        return self._question(check, criterion, "corner", case, special=cases.special[check.name])

    def _usable(self, criterion: Criterion, probe: Probe, case: _Case) -> tuple[Right]:
        """Return the reference's answer to a case. Raises AssignmentError if it cannot be compared."""
        answer = self._right(probe, case)
        refuse_unusable_answer(self.source.assignment.folder, probe, answer, criterion.raises)
        return (Right(answer),)

    def _refuse_unusable(self, check: Check, case: _Case) -> None:
        """Raise AssignmentError if a probe returns what cannot be compared, before mistakes are looked for in it."""
        for criterion in check.criteria:
            for probe in criterion.all_probes if criterion.name != DOCUMENTED else ():
                self._usable(criterion, probe, case)
        answer = self._right(check.criterion(VALUE).probes[0], case)
        refuse_other_parts(self.source.assignment.folder, check, answer)

    def _wrong(
        self, check: Check, criterion: Criterion, probe: Probe, case: _Case
    ) -> tuple[MistakeAnswer, ...]:
        """Return the wrong answer for each mistake that this criterion detects.

        These are mistakes in this step and, for the step's value, in the steps that it calls. If a
        called step's mistake is declared the same as one in this step, only the one in this step
        is used.
        """
        steps = self._own_steps(check)
        own = self._answered(criterion, probe, case, steps)
        if criterion.name != VALUE:
            return own
        called = self._answered(criterion, probe, case, self.uses[check.name] - steps)
        near = {self._effect(wrong.mistake) for wrong in own}
        return own + tuple(wrong for wrong in called if self._effect(wrong.mistake) not in near)

    def _effect(self, name: str) -> str:
        """Return the mistake that represents all mistakes declared the same."""
        while self._synonyms[name]:
            name = self._synonyms[name]
        return name

    def _own_steps(self, check: Check) -> set[str]:
        """Return the step and its functions in `restated.py`."""
        others = {other.name for other in self.source.assignment.checks} - {check.name}
        return self.uses[check.name] - others

    def _answered(
        self,
        criterion: Criterion,
        probe: Probe,
        case: _Case,
        steps: set[str],
    ) -> tuple[MistakeAnswer, ...]:
        """Return the wrong answer for each mistake in these steps that a criterion detects."""
        right = Right(self._right(probe, case))
        moved = shaken(case.inputs)
        wrong = []
        for mistake, module in self.wrong:
            if mistake.step not in steps or mistake.shows_in != criterion.name:
                continue
            answer = case.answer(probe, module)
            if answer is not None and compare(right, answer[0], criterion.slack).difference:
                other = try_to_observe(probe, module, moved)
                relative = relative_tolerance(answer[0], other[0]) if other else RELATIVE
                wrong.append(MistakeAnswer(mistake.name, answer[0], relative))
        return tuple(wrong)

    def _drawn_cases(self, check: Check) -> list[_Case]:
        """Draw the general cases. Each size of the second one differs from that of the first one."""
        drawn: list[_Case] = []
        draw: Draw | None = None
        for number in range(DRAWN_CASES):
            draw, case = self._drawn_case(check, number, draw)
            drawn.append(case)
        return drawn

    def _drawn_case(self, check: Check, number: int, unlike: Draw | None) -> tuple[Draw, _Case]:
        """Draw a case in which each mistake in this step, not in one that it calls, gives a clearly wrong answer."""
        own = self._own_steps(check)
        own = own.difference(*(self.uses[name] for name in self.uses[check.name] - own))
        function = self.source.cases.drawn[check.name]
        hidden: list[Mistake] = []
        for attempt in range(MAX_DRAWS):
            origin = (self.seed, self.source.assignment.name, check.name, number, attempt)
            draw = Draw(*origin, unlike=unlike)
            case = _Case(drawn_inputs(self.source, check, function, draw))
            if number == attempt == 0:
                self._refuse_unusable(check, case)
            hidden = [
                mistake
                for mistake, module in self.wrong
                if mistake.step in own and self._hides(check, mistake, module, case)
            ]
            if not hidden:
                return draw, case
        names = ", ".join(mistake.name for mistake in hidden)
        words = (
            f"in {MAX_DRAWS} draws for `{check.name}` these mistakes could not be told from the right "
            f"answer: {names}."
        )
        problem = Problem("mistakes.py", hidden[0].name, words)
        raise refusal(self.source.assignment.folder, [problem])

    def _hides(self, check: Check, mistake: Mistake, module: ModuleType, case: _Case) -> bool:
        """Return whether the mistake's answer is too close to the right one."""
        if mistake.shows_in == DOCUMENTED or not check.has(mistake.shows_in):
            return False
        probe = check.criterion(mistake.shows_in).probes[0]
        seen = case.answer(probe, module)
        if seen is None:
            return False
        return distance(self._right(probe, case), seen[0]) < STANDS_OUT


def draw_exam(source: Source, seed: int | str) -> Exam:
    """Return the questions of a run: drawn from `seed`, and from the documents.

    The seed PUBLIC gives the released questions. Raises AssignmentError if the cases cannot
    separate the known mistakes from the right answers.
    """
    import torch  # noqa: PLC0415 - students have no reference and do not need torch here

    torch.set_num_threads(1)  # for small matrices, more threads are slower
    skip_absent_devices()
    examiner = _Examiner(source, seed)
    questions = [
        question for check in source.assignment.checks for question in examiner.questions(check)
    ]
    texts = {mistake.name: (mistake.says, mistake.look) for mistake in source.mistakes}
    return Exam(
        source.assignment,
        tuple(questions),
        public=seed == PUBLIC,
        mistakes=texts,
        remarks={**source.remarks, **_remarks(source.assignment)},
        tasks={mistake.name: mistake.task for mistake in source.mistakes},
        synonyms={mistake.name: mistake.same_as for mistake in source.mistakes if mistake.same_as},
        inside={one.name: (one.step, *one.inside) for one in source.mistakes if one.inside},
        substitution=examiner.substitution,
        right_values=RightTracer(source),
    )


def _remarks(assignment: Assignment) -> dict[str, str]:
    criteria = (criterion for check in assignment.checks for criterion in check.criteria)
    return {criterion.name: criterion.remark for criterion in criteria if criterion.remark}
