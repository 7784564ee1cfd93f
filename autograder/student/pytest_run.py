"""The checks of one assignment on one file, in one run of pytest."""

from __future__ import annotations

import secrets
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

from autograder.assignment.catalogue import is_release
from autograder.errors import Rejected, UsageError
from autograder.results import CheckResult, Outcome
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from autograder.student.debug_session import DebugSession
from autograder.student.release_folder import left_to_do
from autograder.student.step_checker import PRACTICE_SECONDS, StepChecker, practice_limits

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.assignment.checks import Check
    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox
    from autograder.sandbox.session import Session


class PytestRun:
    """The checks of the assignment in `folder`, released or with its solution, on one submission.

    Attributes:
        results: the results so far, in order.
    """

    def __init__(
        self, folder: Path, submission: Path | None, *, debug: bool, seconds: float | None = None
    ) -> None:
        self.folder = folder
        self.results: list[CheckResult] = []
        self._submission = submission
        self._debug = debug
        # A released folder is on the student's machine and needs no isolation; an instructor's does.
        self._sandbox: Sandbox
        if is_release(folder):
            self._sandbox = FreshSandbox(practice_limits(seconds or PRACTICE_SECONDS))
        else:
            self._sandbox = best_sandbox(Limits(cpu=seconds) if seconds else Limits())
        self._exam: Exam | None = None
        self._checker: StepChecker | None = None
        self._file_notes: list[str] = []
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
        result = self._checker.result(self._check(step))
        self.results.append(result)
        return result

    def _check(self, step: str) -> Check:
        return next(check for check in self.exam.assignment.checks if check.name == step)

    @cached_property
    def _path(self) -> Path:
        """The file that is checked."""
        if self._submission is not None:
            return self._submission
        if not is_release(self.folder):
            return self.folder / f"{self.exam.assignment.name}.py"
        from autograder.student.own_file import own_file  # noqa: PLC0415 - while the worker starts

        path, note = own_file(self.folder, self.exam.assignment)
        self._file_notes += [note] if note else []
        return path

    def _start(self) -> StepChecker:
        from autograder.grading.grade import open_session  # noqa: PLC0415 - while the worker starts
        from autograder.submission.find import find_hand_ins  # noqa: PLC0415
        from autograder.submission.read import read_submission  # noqa: PLC0415

        assignment = self.exam.assignment
        path = self._path
        submissions = find_hand_ins([path], assignment.name)
        if len(submissions) != 1:
            raise UsageError(f"{path} holds {len(submissions)} submissions; give the file of one.")
        submission = read_submission(submissions[0], assignment)
        self._file_notes += [submission.note] if submission.note else []
        if self._debug:
            pieces = submission.pieces
            if path.suffix == ".py":  # a debugger lists the file's lines by its path
                pieces = tuple(
                    (str(path) if label == path.name else label, text) for label, text in pieces
                )
            session: Session = DebugSession(assignment, pieces)
        else:
            session = open_session(self.exam, submission, self._sandbox)
        session.load()
        return StepChecker(self.exam, session, explain_fully=not self._debug)

    def stop(self, step: str, error: Exception) -> NoReturn:
        """Raise `error`, with --pdb in a frame that has the step's inputs and what it returned."""
        if self._debug and self._checker is not None:
            session = self._checker.session
            assert isinstance(session, DebugSession)
            session.stop(self._checker.wrong_request(self._check(step)), error)
        raise error

    def at_hand(self) -> str:
        """Return what the debugger can show after a wrong answer, in words."""
        session = self._checker.session if self._checker is not None else None
        return session.at_hand if isinstance(session, DebugSession) else ""

    def left_to_do(self) -> list[str]:
        """Return what is left to do when all steps are right, in sentences."""
        path = self._path
        notebook = (
            path if path.suffix == ".ipynb" else self.folder / f"{self.exam.assignment.name}.ipynb"
        )
        return left_to_do(path, notebook)

    def problems(self) -> str:
        """Return what is wrong with the file as a whole; empty if nothing is."""
        return self._checker.problems() if self._checker else ""

    def file_notes(self) -> str:
        """Return which file was checked, where it is another than expected, and what was left out of it."""
        return " ".join(self._file_notes)

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
    from autograder.grading.run_seed import SEED_BITS  # noqa: PLC0415

    return draw_exam(load_source(folder), secrets.randbits(SEED_BITS))
