"""Try an assignment out before students get it: the reference, the stub and every mistake.

The grader judges each of them on the released questions, in this process.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.authored import Problem, refuse
from autograder.assignment.checks import VALUE
from autograder.compare import agrees
from autograder.edits.places import in_words, normalised
from autograder.exam.recognise import effect
from autograder.explain.wording import error_words
from autograder.grading.grader import Grader
from autograder.results import Outcome
from autograder.sandbox.in_process import InProcessSession

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from autograder.assignment.checks import Check
    from autograder.assignment.mistakes import Mistake
    from autograder.assignment.source import Source
    from autograder.exam.mutants import StepMutants
    from autograder.exam.questions import Exam


def try_out(source: Source, exam: Exam, mutants: Mapping[str, StepMutants]) -> None:
    """Raise AssignmentError, with file and line of each problem, if a part does not earn what it should."""
    trial = _Trial(source, exam)
    problems = [*trial.reference(), *trial.stub()]
    problems = problems or [*trial.restated(), *trial.mistakes(), *holes(source, mutants)]
    refuse(source.assignment.folder, problems)


def holes(source: Source, mutants: Mapping[str, StepMutants]) -> Iterator[Problem]:
    """Yield the small edits of the reference that get all points in some exam, and that the author did not declare."""
    sources = {cell.id: cell.source for cell in (*source.script, *source.restated)}
    for name, step in mutants.items():
        for hole in step.holes:
            edit = hole.mutant.edit
            if edit.code not in source.holes.get(name, {}):
                edits = in_words(normalised(sources[hole.mutant.cell]), edit)
                words = " and ".join(f"`{new}` in place of `{old}`" for old, new in edits)
                words += " gets all points; draw a corner against it, or say in HOLES why: "
                words += f'{{"{name}": {{"{edit.code}": "..."}}}}.'
                yield _of_drawn(source, name, words)


def _of_drawn(source: Source, step: str, words: str) -> Problem:
    return Problem("cases.py", getattr(source.cases.drawn[step], "__name__", ""), words)


@dataclass(frozen=True)
class _Trial:
    source: Source
    exam: Exam

    def _session(self, *pieces: tuple[str, str]) -> InProcessSession:
        return InProcessSession(self.exam, pieces)

    def _solution(self) -> list[tuple[str, str]]:
        return [
            (cell.id, cell.source) for cell in self.source.script if cell.kind in ("given", "step")
        ]

    def _restated(self) -> list[tuple[str, str]]:
        return [(cell.id, cell.source) for cell in self.source.restated]

    def _losses(self, grader: Grader, who: str, wanted: Outcome) -> Iterator[Problem]:
        for check in self.source.assignment.checks:
            result = grader.check(check)
            points = check.points if wanted is Outcome.PASSED else 0
            if (result.score, result.outcome, result.remarks) != (points, wanted, ()):
                seen = (result.outcome.words, *result.remarks, result.words.seen)
                found = ", ".join(filter(None, seen))
                yield Problem(
                    f"test_{self.source.assignment.name}.py",
                    f"test_{check.name}",
                    f"{who} gets {result.score:g} points; wanted {points:g}, {wanted.words}. Seen: {found}",
                )

    def reference(self) -> Iterator[Problem]:
        """The reference earns every point, without a remark."""
        grader = Grader(self.exam, self._session(*self._solution()))
        yield from self._losses(grader, "the reference", Outcome.PASSED)
        for check in self.source.assignment.checks:
            questions = self.exam.questions_for(check, check.criterion(VALUE))
            first, *others = (question for question in questions if question.kind == "drawn")
            right = first.answers[0].right[0].value
            if any(agrees(right, other.answers[0].right[0].value) for other in others):
                words = f"`{check.name}` has the same answer in two drawn cases; draw other inputs."
                yield _of_drawn(self.source, check.name, words)
            for name, number in first.inputs.items():
                same = {repr(one.inputs.get(name)) for one in questions} == {repr(number)}
                if same and type(number) in (int, float):
                    words = f"`{name}` is {number!r} in all cases of `{check.name}`; draw different ones."
                    yield _of_drawn(self.source, check.name, words)

    def restated(self) -> Iterator[Problem]:
        """The classes of `restated.py` earn every point, like those of the script."""
        if self.source.restated:
            grader = Grader(self.exam, self._session(*self._solution(), *self._restated()))
            yield from self._losses(grader, "restated.py", Outcome.PASSED)

    def stub(self) -> Iterator[Problem]:
        """The stub runs, and each of its steps is not started."""
        session = self._session(*((cell.id, cell.source) for cell in self.source.assignment.cells))
        for failure in session.loaded.failures:
            words = (
                f"wanted a stub that runs; a class needs its methods. Seen: {error_words(failure)}"
            )
            yield Problem(f"{self.source.assignment.name}.py", "", words)
        if not session.loaded.failures:
            grader = Grader(self.exam, session, explain_fully=False)
            yield from self._losses(grader, "the stub", Outcome.NOT_STARTED)

    def mistakes(self) -> Iterator[Problem]:
        """Each mistake costs points, and is recognised for certain."""
        session = self._session(*self._solution(), *self._restated())
        space = vars(session.module)
        right = dict(space)
        for mistake in self.source.mistakes:
            space.update(mistake.replaced)
            if words := self._not_recognised(mistake, session):
                yield Problem("mistakes.py", mistake.name, words)
            space.update(right)

    def _not_recognised(self, mistake: Mistake, session: InProcessSession) -> str:
        """Return why the grader does not recognise a mistake for certain; empty if it does."""
        for check in self._checks_that_show(mistake):
            last = Grader(self.exam, session, explain_fully=False).check(check)
            if last.outcome not in (Outcome.RAISED, Outcome.EXITED):
                break
        else:
            return f"wanted an answer. Seen: {last.words.seen}"
        if last.is_full:
            return f"`{last.step}` gets all points; wanted a mistake that costs points."
        same = [effect(self.exam, name) for name in last.mistakes]
        if effect(self.exam, mistake.name) in same and last.sure:
            return ""
        others = ", ".join(name for name in last.mistakes if name != mistake.name)
        taken = f"`{last.step}` is taken for {others or 'none or several'}"
        return f"{taken}; wanted same_as=, or inputs that tell them apart."

    def _checks_that_show(self, mistake: Mistake) -> list[Check]:
        """Return the checks that can show a mistake, the check of its own step first."""
        checks = [
            check
            for check in self.source.assignment.checks
            if mistake.step in self.source.uses[check.name] and check.has(mistake.shows_in)
        ]
        return sorted(checks, key=lambda check: check.name != mistake.step)
