"""Grade one submission: observe each check's probes, compare, explain."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.explain.feedback import told_once
from autograder.grading.budget import Budget, OverBudget
from autograder.grading.explaining import Explaining
from autograder.grading.grader import Grader
from autograder.grading.observations import NotAlone
from autograder.results import CheckResult, Observation, Outcome, Result, Status, paragraphs
from autograder.sandbox.session import SandboxSession

if TYPE_CHECKING:
    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox
    from autograder.sandbox.skips import Skips
    from autograder.submission.notebook import Pieces
    from autograder.submission.read import Submission


def open_session(
    exam: Exam, pieces: Pieces, sandbox: Sandbox, skips: Skips | None = None
) -> SandboxSession:
    """Open a sandbox session for a submission's pieces of source. Its worker starts at once."""
    assignment = exam.assignment
    return SandboxSession(
        assignment.name,
        assignment.probes,
        pieces,
        sandbox,
        classes=assignment.classes,
        skips=skips,
        plan=exam.plan,
    )


def begin(exam: Exam, submission: Submission, sandbox: Sandbox) -> SandboxSession:
    """Open a session whose worker loads the submission and observes its steps ahead of time."""
    session = open_session(exam, submission.pieces, sandbox)
    session.begin()
    return session


def grade(
    exam: Exam,
    submission: Submission,
    sandbox: Sandbox,
    *,
    begun: SandboxSession | None = None,
    run: str = "",
    alone: bool = True,
    bugs: list[str] | None = None,
) -> Result:
    """Grade one submission, in the session `begun` or in a new one. `bugs` gets the failures to explain.

    Raises GraderFault if the grader itself failed, and NotAlone if only the wall clock stopped a step, unless `alone`.
    """
    started = time.monotonic()
    budget = Budget()
    with begun or begin(exam, submission, sandbox) as session:
        try:
            budget.spend(partial(load, session, alone=alone))
        except OverBudget as over:
            session.close()
            session.stopped = _over("Loading your file", over)
        bugs = [] if bugs is None else bugs
        explaining = Explaining(Budget(budget), bugs, aside=submission.aside)
        grader = Grader(exam, session, alone=alone, explaining=explaining)
        checks = told_once(_check(grader, check, budget) for check in exam.assignment.checks)
        about = grader.tutor.about_the_file()
    return Result(
        assignment=exam.assignment.name,
        student=submission.student,
        status=Status.GRADED,
        checks=checks,
        about=(*about, *paragraphs(changed_release(exam), submission.note)),
        public=exam.public,
        submission_sha256=submission.sha256,
        kit_version=__version__,
        run=run,
        sandbox=sandbox.layers,
        execution_time=time.monotonic() - started,
    )


def _check(grader: Grader, check: Check, budget: Budget) -> CheckResult:
    """Grade one check. If judging it takes too much, it gets that outcome."""
    try:
        return budget.spend(partial(grader.check, check))
    except OverBudget as over:
        grader.session.close()  # perhaps it was stopped between a request and its answer
        return grader.give_up(check, _over(f"Judging your `{check.name}`", over))


def _over(what: str, over: OverBudget) -> Observation:
    words = f"{what} took the grader {over.what}. Return only what the task asks for."
    return Observation(Outcome.TOO_LARGE, detail=words)


def changed_release(exam: Exam) -> str:
    """Say which released files were changed; empty if none was. Public checks rest on them."""
    files = ", ".join(f"`{name}`" for name in exam.changed)
    return (
        f"Changed since the release: {files}. Public checks use these files, so the points may not be those of "
        "the release. Get the release again if the change was not on purpose."
        if files
        else ""
    )


def load(session: SandboxSession, *, alone: bool = True) -> None:
    """Load the submission. If only the wall clock stopped that, load once more; raise NotAlone unless `alone`."""
    ended = session.load(alone=False)
    if ended is not None and ended.slow:
        if not alone:
            raise NotAlone
        session.load()


def without_checks(
    exam: Exam, student: str, status: Status, *why: str, run: str = "", sha256: str = ""
) -> Result:
    """Return the result of a submission that was rejected, or ungraded because the grader failed.

    `why` are paragraphs for the student.
    """
    outcome = Outcome.UNGRADED if status is Status.UNGRADED else Outcome.MISSING
    checks = tuple(
        CheckResult(check.name, 0.0, check.points, outcome) for check in exam.assignment.checks
    )
    return Result(
        assignment=exam.assignment.name,
        student=student,
        status=status,
        checks=checks,
        about=paragraphs(*why),
        public=exam.public,
        submission_sha256=sha256,
        kit_version=__version__,
        run=run,
        sandbox=(),
    )
