"""Check one student's steps, one by one, in a session: for pytest and for notebooks."""

from __future__ import annotations

import time
import warnings
from typing import TYPE_CHECKING

from autograder.reasons import Reason
from autograder.results import CheckResult, Outcome
from autograder.sandbox.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from autograder.assignment.checks import Check, Criterion
    from autograder.compare import Difference
    from autograder.exam.questions import Exam, Request
    from autograder.reports.number_tables import NumberTable
    from autograder.results import Skipped
    from autograder.sandbox.sandbox import Sandbox
    from autograder.sandbox.session import Session
    from autograder.submission.notebook import Pieces

# Shorter than in grading: a student waits for an endless loop.
PRACTICE_SECONDS = 5.0


def practice_limits(seconds: float = PRACTICE_SECONDS) -> Limits:
    """Return the limits of a check on a student's own machine: CPU seconds, and no limit on memory."""
    return Limits(cpu=seconds)


def start_checker(
    exam: Exam, pieces: Pieces, sandbox: Sandbox, known: Mapping[str, Skipped] | None = None
) -> StepChecker:
    """Load a student's pieces of source in a worker of the sandbox, and return a checker.

    `known` are statements that were left out before, by their text.
    """
    from autograder.sandbox.session import SandboxSession  # noqa: PLC0415
    from autograder.sandbox.skips import Skips  # noqa: PLC0415 - while the worker starts

    assignment = exam.assignment
    session = SandboxSession(
        assignment.name,
        assignment.probes,
        pieces,
        sandbox,
        classes=assignment.classes,
        skips=Skips(known),
        plan=exam.plan,
    )
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
        explain_fully: run extra probes if they can explain a mistake.
    """

    def __init__(self, exam: Exam, session: Session, *, explain_fully: bool = True) -> None:
        from autograder.grading.explaining import Explaining  # noqa: PLC0415 - while the worker starts
        from autograder.grading.grader import Grader  # noqa: PLC0415

        self.session = session
        self._exam = exam
        self._explaining = Explaining()
        self._grader = Grader(
            exam, session, explain_fully=explain_fully, explaining=self._explaining
        )
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
            while self._explaining.bugs:
                warnings.warn(self._explaining.bugs.pop(), stacklevel=2)

    def problems(self) -> str:
        """Return what is wrong with the student's file or cells as a whole; empty if nothing is."""
        return self._grader.tutor.about_the_file()

    def problems_behind(self, result: CheckResult) -> str:
        """Return what is wrong with the student's cells as a whole, if a step failed because of it."""
        reasons = result.feedback.reasons if result.feedback else ()
        caused = {Reason.FILE_STOPPED, Reason.FROM_THE_FILE} & {*reasons}
        return self.problems() if caused else ""

    def tables(self, check: Check) -> tuple[NumberTable, ...]:
        """Return the first wrong numbers next to the right ones, for public questions only."""
        from autograder.explain.wording import part_of_answer  # noqa: PLC0415 - while the worker starts
        from autograder.reports.number_tables import number_tables  # noqa: PLC0415

        if not self._exam.public:
            return ()
        for criterion in check.criteria:
            probes = () if criterion.remark else range(len(criterion.probes))
            differences = [self._wrong(check, criterion, probe) for probe in probes]
            if not differences or None in differences:  # skip if any probe came out right
                continue
            difference, decimals = next(filter(None, differences))
            place = part_of_answer(check, criterion.name, difference.path)
            tables = number_tables(difference, of=place, decimals=decimals, slack=criterion.slack)
            if tables:
                return tables
        return ()

    def wrong_request(self, check: Check) -> Request | None:
        """Return the first request of a check whose answer is wrong; None if there is none.

        The session must return the same observation for the same request.
        """
        from autograder.compare import closest  # noqa: PLC0415

        for criterion in check.criteria:
            if criterion.remark:
                continue
            for question in self._exam.questions_for(check, criterion):
                request, right = question.requests[0], question.answers[0].right
                seen = self.session.observe(request)
                if seen.outcome is not Outcome.PASSED:
                    return request
                if closest(right, seen.value, criterion.slack).difference is not None:
                    return request
        return None

    def _wrong(
        self, check: Check, criterion: Criterion, probe: int
    ) -> tuple[Difference, int | None] | None:
        """Return the first difference, and the decimals of a printed right answer.

        Return None if all answers are right or a probe fails.
        """
        from autograder.compare import closest  # noqa: PLC0415

        for question in self._exam.questions_for(check, criterion):
            seen = self.session.observe(question.requests[probe])
            if seen.outcome is not Outcome.PASSED:
                return None
            right = question.answers[probe].right
            difference = closest(right, seen.value, criterion.slack).difference
            if difference is not None:
                return difference, right[0].decimals
        return None
