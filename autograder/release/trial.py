"""Try an assignment out before students get it: the reference, the stub, an empty file and every mistake.

The grader judges each of them on the released questions, in this process.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.assignment.authored import Problem, refuse
from autograder.assignment.checks import VALUE
from autograder.compare import agrees
from autograder.exam.edits import in_words
from autograder.explain.recognise import effect
from autograder.explain.wording import error_words, fault
from autograder.grading.appeal import judged
from autograder.grading.grader import Grader
from autograder.reports.appeal_text import worst_number
from autograder.results import Outcome
from autograder.sandbox.in_process import InProcessSession

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from autograder.assignment.checks import Check
    from autograder.assignment.mistakes import Mistake
    from autograder.assignment.source import Source
    from autograder.exam.mutants import StepMutants
    from autograder.exam.questions import Exam
    from autograder.grading.appeal import JudgedCase
    from autograder.results import CheckResult


def try_out(source: Source, exam: Exam, mutants: Mapping[str, StepMutants]) -> None:
    """Raise AssignmentError, with file and line of each problem, if a part does not earn what it should."""
    trial = _Trial(source, exam)
    problems = [*trial.reference(), *trial.stub(), *trial.empty_file()]
    problems = problems or [*trial.restated(), *trial.mistakes(), *holes(source, mutants)]
    refuse(source.assignment.folder, problems, "Tried out, and this does not fit:")


def holes(source: Source, mutants: Mapping[str, StepMutants]) -> Iterator[Problem]:
    """Yield the small edits of the reference that get all points in some exam, and that the author did not declare."""
    sources = {cell.id: cell.source for cell in (*source.script, *source.restated)}
    for check in source.assignment.checks:
        step = mutants.get(check.name)
        declared = source.holes.get(check.name, {})
        for hole in step.holes if step else ():
            if hole.mutant.edit.code not in declared:
                edits = in_words(sources[hole.mutant.cell], hole.mutant.edit)
                words = " and ".join(f"`{new}` in place of `{old}`" for old, new in edits)
                name = getattr(source.cases.drawn[check.name], "__name__", "")
                yield Problem(
                    "cases.py",
                    name,
                    f"not every exam tells {words} from the right `{check.name}`. Declare a corner that does, or say "
                    f'in HOLES why that is no fault: {{"{check.name}": {{"{hole.mutant.edit.code}": "..."}}}}.',
                )


def repeated_inputs(exam: Exam) -> Iterator[str]:
    """Yield a warning for each input that matters and is the same in all cases: code with this constant is right."""
    for check in exam.assignment.checks:
        first, *others = exam.questions_for(check, check.criterion(VALUE))
        for name, value in first.inputs.items():
            if (name,) in first.matters and all(
                agrees(value, one.inputs.get(name)) for one in others
            ):
                yield (
                    f"Warning: `{name}` is the same in all cases of `{check.name}`, so code that has it as a constant "
                    "is right. Draw it in cases.py."
                )


@dataclass(frozen=True)
class _Trial:
    source: Source
    exam: Exam

    @property
    def _script(self) -> str:
        return f"{self.source.assignment.name}.py"

    def _session(self, *pieces: tuple[str, str]) -> InProcessSession:
        return InProcessSession(self.exam, pieces)

    def _solution(self) -> list[tuple[str, str]]:
        return [
            (cell.id, cell.source) for cell in self.source.script if cell.kind in ("given", "step")
        ]

    def reference(self) -> Iterator[Problem]:
        """The reference earns every point, without a remark."""
        grader = Grader(self.exam, self._session(*self._solution()))
        yield from self._losses(grader, "the reference")
        for check in self.source.assignment.checks:
            questions = self.exam.questions_for(check, check.criterion(VALUE))
            first, *others = (question for question in questions if question.kind == "drawn")
            right = first.answers[0].right[0].value
            if any(agrees(right, other.answers[0].right[0].value) for other in others):
                name = getattr(self.source.cases.drawn[check.name], "__name__", "")
                words = (
                    f"`{check.name}` has the same answer in each drawn case, so a constant would be right. "
                    "Draw other inputs."
                )
                yield Problem("cases.py", name, words)

    def restated(self) -> Iterator[Problem]:
        """The classes of `restated.py` earn every point, like those of the script."""
        if self.source.restated:
            pieces = [(cell.id, cell.source) for cell in self.source.restated]
            grader = Grader(self.exam, self._session(*self._solution(), *pieces))
            yield from self._losses(
                grader, f"what {self.source.assignment.folder.name}/restated.py restates"
            )

    def _losses(self, grader: Grader, subject: str) -> Iterator[Problem]:
        for check in self.source.assignment.checks:
            result = grader.check(check)
            if result.score < check.points or result.outcome is not Outcome.PASSED:
                yield self._of_test(
                    check,
                    f"{subject} earns {result.score:g} of {check.points:g} points for `{check.name}`. "
                    f"{self._why(grader, check)}",
                )
            elif result.remarks:
                remarks = ", ".join(result.remarks)
                yield self._of_test(
                    check, f"{subject} gets a remark for `{check.name}`: {remarks}."
                )

    def _why(self, grader: Grader, check: Check) -> str:
        """Return the first case in which the answer is wrong, and how; empty if there is none."""
        for criterion in judged(self.exam, check, grader):
            for case in criterion.cases:
                if criterion.result and criterion.result.outcome is not Outcome.PASSED:
                    difference = _difference(check, case)
                    if difference:
                        kind = case.question.kind
                        return f"{criterion.criterion.name}, {kind} case: {difference}"
        return ""

    def _raised(self, grader: Grader, check: Check) -> str:
        cases = (case for criterion in judged(self.exam, check, grader) for case in criterion.cases)
        return next(error_words(case.seen.error) for case in cases if case.seen.error)

    def stub(self) -> Iterator[Problem]:
        """The stub runs, and each of its steps is not started."""
        session = self._session(*((cell.id, cell.source) for cell in self.source.assignment.cells))
        assert session.loaded is not None
        for failure in session.loaded.failures:
            where = " In a class, write the solution inside each method."
            hint = where if failure.type == "NotImplementedError" else ""
            words = f"the stub does not run: {error_words(failure)}{hint}"
            yield Problem(self._script, "", words)
        grader = Grader(self.exam, session, explain_fully=False)
        for check in self.source.assignment.checks:
            result = grader.check(check)
            if result.score:
                yield self._of_test(
                    check,
                    f"the stub earns {result.score:g} of {check.points:g} points for `{check.name}`. Does the probe "
                    "call the step?",
                )
            elif result.outcome is not Outcome.NOT_STARTED and not session.loaded.failures:
                words = (
                    f"the stub of `{check.name}` should be not started, and it ends as {result.outcome.words}. "
                    "A student's first call must reach the stub's raise."
                )
                yield Problem(self._script, "", words)

    def empty_file(self) -> Iterator[Problem]:
        """A file without the steps earns nothing."""
        grader = Grader(self.exam, self._session(("empty", "")), explain_fully=False)
        for check in self.source.assignment.checks:
            result = grader.check(check)
            if result.score or result.outcome is not Outcome.MISSING:
                yield self._of_test(
                    check, f"an empty file earns {result.score:g} points for `{check.name}`."
                )

    def mistakes(self) -> Iterator[Problem]:
        """Each mistake costs points, and is recognised for certain."""
        pieces = [(cell.id, cell.source) for cell in self.source.restated]
        session = self._session(*self._solution(), *pieces)
        space = vars(session.module)
        right = dict(space)
        for mistake in self.source.mistakes:
            space.update(mistake.replaced)
            if words := self._not_recognised(mistake, session):
                yield Problem("mistakes.py", mistake.name, f"`{mistake.name}` {words}")
            space.update(right)

    def _not_recognised(self, mistake: Mistake, session: InProcessSession) -> str:
        """Return why the grader does not recognise a mistake for certain; empty if it does."""
        raised = ""
        for check in self._checks_that_show(mistake):
            grader = Grader(self.exam, session, explain_fully=False)
            last = grader.check(check)
            if last.outcome not in (Outcome.RAISED, Outcome.EXITED) or mistake.raises:
                break
            raised = raised or self._raised(grader, check)
        else:
            return f"gives no answer in any case: {raised}. If that is meant, say raises= in its @mistake."
        if last.score >= last.max_score:
            return f"gives the same answers as the reference; `{last.step}` gets all its points."
        same = [effect(self.exam, name) for name in last.mistakes]
        if effect(self.exam, mistake.name) not in same:
            return f"is not recognised in `{last.step}`{_taken_for(last)}."
        if not last.sure:
            others = ", ".join(name for name in last.mistakes if name != mistake.name)
            return f"gives the same answers as {others}. Say so with same_as=, or draw inputs that tell them apart."
        return ""

    def _checks_that_show(self, mistake: Mistake) -> list[Check]:
        """Return the checks that can show a mistake, the check of its own step first."""
        checks = [
            check
            for check in self.source.assignment.checks
            if mistake.step in self.source.uses[check.name] and check.has(mistake.shows_in)
        ]
        return sorted(checks, key=lambda check: check.name != mistake.step)

    def _of_test(self, check: Check, words: str) -> Problem:
        return Problem(f"test_{self.source.assignment.name}.py", f"test_{check.name}", words)


def _difference(check: Check, case: JudgedCase) -> str:
    if case.seen.error is not None:
        return error_words(case.seen.error)
    if case.difference is None:
        return ""
    return fault(check, case.difference) + worst_number(case.difference)


def _taken_for(result: CheckResult) -> str:
    return f", but taken for {', '.join(result.mistakes)}" if result.mistakes else ""
