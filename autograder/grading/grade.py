"""Grade one submission: ask all steps, settle the points, then explain."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.errors import GraderFault
from autograder.explain.feedback import told_once
from autograder.grading.budget import Budget, OverBudget
from autograder.grading.explaining import Explaining
from autograder.grading.grader import Grader
from autograder.grading.observations import NotAlone
from autograder.results import CheckResult, Observation, Outcome, Result, Status, paragraphs
from autograder.sandbox.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox
    from autograder.sandbox.skips import KnownSkips
    from autograder.submission.notebook_work import Pieces
    from autograder.submission.read import Submission


def open_session(
    exam: Exam, pieces: Pieces, sandbox: Sandbox, skips: KnownSkips | None = None
) -> Session:
    """Open a sandbox session for a submission's pieces of source. Its worker starts at once."""
    assignment = exam.assignment
    return Session(
        assignment.name,
        assignment.probes,
        pieces,
        sandbox,
        classes=assignment.classes,
        skips=skips,
        plan=exam.plan,
        imports=None if exam.public else assignment.packages,
    )


def begin(exam: Exam, submission: Submission, sandbox: Sandbox) -> Session:
    """Open a session whose worker loads the submission and observes its steps ahead of time."""
    session = open_session(exam, submission.pieces, sandbox)
    session.begin()
    return session


def grade(
    exam: Exam,
    submission: Submission,
    sandbox: Sandbox,
    *,
    run: str = "",
    alone: bool = True,
    bugs: list[str] | None = None,
) -> Result:
    """Grade one submission. `bugs` gets the failures to explain.

    Raises GraderFault if the grader itself failed, and NotAlone if only the wall clock stopped a step, unless `alone`.
    """
    started = time.monotonic()
    budget = Budget()
    with begin(exam, submission, sandbox) as session:
        if over := _over(budget, partial(load, session, alone=alone), "Loading your file"):
            session.close()
            session.stopped = over
        explaining = Explaining(Budget(), [] if bugs is None else bugs, submission.aside, alone)
        grader = Grader(exam, session, alone=alone, explaining=explaining, budget=budget)
        every = exam.assignment.checks
        for do in (grader.ask, grader.settle):
            for check in every:
                _settle(grader, do, check, budget)
        checks = told_once(map(grader.check, every))
        about = grader.about_the_file()
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


def _settle(grader: Grader, do: Callable[[Check], None], check: Check, budget: Budget) -> None:
    """Ask or settle a check. If judging it takes too much memory, it gets that outcome."""
    if over := _over(budget, partial(do, check), f"Judging your `{check.name}`"):
        grader.give_up(check, over)


def _over(budget: Budget, work: Callable[[], object], what: str) -> Observation | None:
    """Do this within the budget; return the outcome if it took too much memory, else None.

    Raises GraderFault if it took too much time: no clock of the grader's decides points.
    """
    try:
        budget.spend(work)
    except OverBudget as over:
        words = f"{what} took the grader {over.what}."
        if over.is_time:
            raise GraderFault(f"{words} No points were decided.") from None
        return Observation(Outcome.TOO_LARGE, detail=f"{words} Return only what the task asks for.")
    return None


def changed_release(exam: Exam) -> str:
    """Say which released files were changed; empty if none was. Public checks rest on them."""
    files = ", ".join(f"`{name}`" for name in exam.changed)
    return (
        f"Changed since the release: {files}. Public checks use these files, so the points may not be those of "
        "the release. Get the release again if the change was not on purpose."
        if files
        else ""
    )


def load(session: Session, *, alone: bool = True) -> None:
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
