"""Grade one submission: observe each check's probes, compare, explain."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.explain.ended import explain_failure
from autograder.explain.markdown import markdown
from autograder.grading.grader import Grader
from autograder.results import CheckResult, Outcome, Result, Status
from autograder.sandbox.session import SandboxSession

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox
    from autograder.submission.read import Submission


def open_session(exam: Exam, submission: Submission, sandbox: Sandbox) -> SandboxSession:
    """Open a sandbox session for the submission. Its worker starts at once."""
    assignment = exam.assignment
    return SandboxSession(assignment.name, assignment.probes, submission.pieces, sandbox)


def begin(exam: Exam, submission: Submission, sandbox: Sandbox) -> SandboxSession:
    """Open a session whose worker loads the submission and observes its steps ahead of time."""
    session = open_session(exam, submission, sandbox)
    session.expect(exam.plan(exam.assignment.checks[0]))
    return session


def grade(
    exam: Exam,
    submission: Submission,
    sandbox: Sandbox,
    *,
    begun: SandboxSession | None = None,
    run: str = "",
    alone: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Result:
    """Grade one submission, in the session `begun` or in a new one.

    Raises GraderFault if the grader itself failed. That says nothing about the submission.
    """
    started = time.monotonic()
    with begun or begin(exam, submission, sandbox) as session:
        _load(session, alone)
        grader = Grader(exam, session, alone=alone)
        checks = tuple(grader.check(check) for check in exam.assignment.checks)
        failures = session.loaded.failures if session.loaded else ()
    output = [submission.note, *(markdown(explain_failure(failure)) for failure in failures[:1])]
    return Result(
        assignment=exam.assignment.name,
        student=submission.student,
        status=Status.GRADED,
        checks=checks,
        output="\n\n".join(text for text in output if text),
        public=exam.public,
        submission_sha256=submission.sha256,
        kit_version=__version__,
        run=run,
        sandbox=sandbox.layers,
        execution_time=time.monotonic() - started,
    )


def _load(session: SandboxSession, alone: Callable[[], AbstractContextManager[None]]) -> None:
    """Load the submission. If only the wall clock stopped the loading, load once more, alone."""
    ended = session.load()
    if ended is None or not ended.slow:
        return
    waiting = time.monotonic()
    with alone():
        session.extend(time.monotonic() - waiting)
        session.load()


def without_checks(
    exam: Exam, student: str, status: Status, why: str, *, run: str = "", sha256: str = ""
) -> Result:
    """Return the result of a submission that was rejected, or ungraded because the grader failed."""
    outcome = Outcome.UNGRADED if status is Status.UNGRADED else Outcome.MISSING
    checks = tuple(
        CheckResult(check.name, 0.0, check.points, outcome) for check in exam.assignment.checks
    )
    return Result(
        assignment=exam.assignment.name,
        student=student,
        status=status,
        checks=checks,
        output=why,
        public=exam.public,
        submission_sha256=sha256,
        kit_version=__version__,
        run=run,
        sandbox=(),
    )
