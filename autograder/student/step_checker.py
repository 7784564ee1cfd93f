"""Check one student's steps, one by one, in a session: for pytest and for notebooks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from autograder.results import CheckResult, Outcome

if TYPE_CHECKING:
    from autograder.assignment.checks import Check, Criterion
    from autograder.compare import Difference
    from autograder.exam.questions import Exam
    from autograder.reports.number_tables import NumberTable
    from autograder.sandbox.sandbox import Sandbox
    from autograder.sandbox.session import Session
    from autograder.submission.read import Pieces


def start_checker(exam: Exam, pieces: Pieces, sandbox: Sandbox) -> StepChecker:
    """Load a student's pieces of source in a worker of the sandbox, and return a checker."""
    from autograder.sandbox.session import SandboxSession  # noqa: PLC0415 - while the worker starts

    assignment = exam.assignment
    session = SandboxSession(assignment.name, assignment.probes, pieces, sandbox)
    try:
        session.load()
    except BaseException:  # interrupted: only this function can end the worker
        session.close()
        raise
    return StepChecker(exam, session)


class StepChecker:
    """Check steps in a session that has loaded the student's code.

    Args:
        exam: the questions, public or drawn.
        session: the session in which probes run.
        curious: run extra probes if they can explain a mistake.
    """

    def __init__(self, exam: Exam, session: Session, *, curious: bool = True) -> None:
        from autograder.grading.grader import Grader  # noqa: PLC0415 - while the worker starts

        self.session = session
        self._exam = exam
        self._grader = Grader(exam, session, curious=curious)
        self._idle = time.monotonic()

    def close(self) -> None:
        """End the worker."""
        self.session.close()

    def result(self, check: Check) -> CheckResult:
        """Grade a step. The time between two calls, when the student reads, does not count."""
        self.session.extend(time.monotonic() - self._idle)
        try:
            return self._grader.check(check)
        finally:
            self._idle = time.monotonic()

    def tables(self, check: Check) -> tuple[NumberTable, ...]:
        """Return the first wrong numbers next to the right ones, for public questions only."""
        from autograder.explain.wording import part_of_answer  # noqa: PLC0415 - while the worker starts
        from autograder.reports.number_tables import number_tables  # noqa: PLC0415

        if not self._exam.public:
            return ()
        for criterion in check.criteria:
            probes = () if criterion.remark else range(len(criterion.probes))
            found = [self._wrong(check, criterion, probe) for probe in probes]
            if not found or None in found:  # skip if any probe came out right
                continue
            difference, decimals = next(filter(None, found))
            place = part_of_answer(check, criterion.name, difference.path)
            tables = number_tables(difference, of=place, decimals=decimals, slack=criterion.slack)
            if tables:
                return tables
        return ()

    def _wrong(
        self, check: Check, criterion: Criterion, probe: int
    ) -> tuple[Difference, int | None] | None:
        """Return the first difference, and the decimals of a printed right answer.

        Return None if all answers are right or a probe fails.
        """
        from autograder.compare import compare  # noqa: PLC0415

        for question in self._exam.about(check, criterion):
            seen = self.session.observe(question.requests[probe])
            if seen.outcome is not Outcome.PASSED:
                return None
            right = question.answers[probe].right
            found = [compare(one, seen.value, criterion.slack).difference for one in right]
            if found[0] is not None and None not in found:
                return found[0], right[0].decimals
        return None
