"""The checks of one assignment on one file, in one run of pytest."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NoReturn

from autograder.assignment.catalogue import is_release
from autograder.errors import Rejected, UsageError
from autograder.results import CheckResult, Outcome
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from autograder.student.debug_session import DebugSession
from autograder.student.step_checker import StepChecker

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox
    from autograder.sandbox.session import Session


class PytestRun:
    """The checks of the assignment in `folder`, released or with its solution, on one submission.

    Attributes:
        results: the results so far, in order.
    """

    def __init__(self, folder: Path, submission: Path | None, *, debug: bool) -> None:
        self.folder = folder
        self.results: list[CheckResult] = []
        self._submission = submission
        self._debug = debug
        # A released folder is on the student's machine and needs no isolation; an instructor's does.
        released = is_release(folder)
        self._sandbox: Sandbox = FreshSandbox(Limits()) if released else best_sandbox(Limits())
        self._exam: Exam | None = None
        self._checker: StepChecker | None = None
        self._problem: Rejected | UsageError | None = None

    def prepare(self) -> None:
        """Start the worker, so that it imports torch while pytest collects."""
        if not self._debug:
            self._sandbox.prepare()

    @property
    def exam(self) -> Exam:
        """The questions: the released ones, or newly drawn ones if the folder has the solution."""
        if self._exam is None:
            self._exam = _load_exam(self.folder)
        return self._exam

    @property
    def first_failure(self) -> CheckResult | None:
        """The first result below full points whose step was started."""
        tried = (
            result
            for result in self.results
            if result.score < result.max_score and result.outcome is not Outcome.NOT_STARTED
        )
        return next(tried, None)

    def judge(self, step: str) -> CheckResult:
        """Grade the step. Raises Rejected or UsageError if the file cannot be read."""
        if self._problem is not None:
            raise self._problem
        if self._checker is None:
            try:
                self._checker = self._start()
            except (Rejected, UsageError) as problem:
                self._problem = problem
                raise
        check = next(check for check in self.exam.assignment.checks if check.name == step)
        result = self._checker.result(check)
        self.results.append(result)
        return result

    def _start(self) -> StepChecker:
        from autograder.grading.grade import open_session  # noqa: PLC0415 - while the worker starts
        from autograder.submission.find import find_submissions  # noqa: PLC0415
        from autograder.submission.read import read_submission  # noqa: PLC0415

        assignment = self.exam.assignment
        path = self._submission or self.folder / f"{assignment.name}.py"
        found = find_submissions([path], assignment.name)
        if len(found) != 1:
            raise UsageError(f"{path} holds {len(found)} submissions; give the file of one.")
        submission = read_submission(found[0], assignment)
        if self._debug:
            pieces = submission.pieces
            if path.suffix == ".py":  # a debugger lists the file's lines by its path
                pieces = ((str(path), pieces[0][1]),)
            session: Session = DebugSession(assignment, pieces)
        else:
            session = open_session(self.exam, submission, self._sandbox)
        session.load()
        return StepChecker(self.exam, session, curious=not self._debug)

    def stop(self, error: Exception) -> NoReturn:
        """Raise `error`, with --pdb in a frame that helps the debugger."""
        if self._debug and self._checker is not None:
            session = self._checker.session
            assert isinstance(session, DebugSession)
            session.stop(error)
        raise error

    def notes(self) -> list[str]:
        """Return what the file printed while it was loaded, at most 10 lines."""
        loaded = self._checker.session.loaded if self._checker else None
        if loaded is None or not loaded.printed.strip():
            return []
        return [
            "Printed while your file was loaded:",
            *loaded.printed.strip("\n").splitlines()[:10],
            "",
        ]

    def close(self) -> None:
        """Stop the worker."""
        self._sandbox.close()


def _load_exam(folder: Path) -> Exam:
    from autograder.exam.public import load_release  # noqa: PLC0415 - while the worker starts

    if is_release(folder):
        return load_release(folder)
    from autograder.assignment.source import load_source  # noqa: PLC0415 - the instructor's side
    from autograder.exam.draw import draw_exam  # noqa: PLC0415
    from autograder.grading.run_id import SEED_BITS  # noqa: PLC0415

    return draw_exam(load_source(folder), secrets.randbits(SEED_BITS))
