"""One `nbgrader autograde` of an assignment: its exam, its sandbox and its notes for the next."""

from __future__ import annotations

import gc
import os
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from autograder.errors import Rejected
from autograder.files import write_whole
from autograder.grading.grade import begin, grade, without_checks
from autograder.grading.open_run import Setting, find_assignment, held_lock, open_run
from autograder.results import Status
from autograder.submission.find import hand_in_of
from autograder.submission.read import read_submission

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.exam.questions import Exam
    from autograder.grading.run_seed import Run
    from autograder.results import Result
    from autograder.sandbox.limits import Limits
    from autograder.sandbox.session import SandboxSession
    from autograder.submission.hand_in import HandIn
    from autograder.submission.read import Submission

    _Begun = tuple[Submission, SandboxSession]


@dataclass(frozen=True)
class CoursePaths:
    """Folders of an assignment, and whether missing sandbox layers are allowed.

    Attributes:
        home: folder for the seed, the lock and the name of the unfinished submission.
        private: folders that a student's code must not read.
    """

    assignment: str
    solutions: Path
    home: Path
    private: tuple[Path, ...]
    allow_degraded: bool


class Grading:
    """Grade all submissions with one exam and one warm sandbox; keep the seed for the next command.

    Attributes:
        ahead: how many submissions may begin before nbgrader comes to them.
    """

    ahead = 1

    def __init__(self, place: CoursePaths, limits: Limits) -> None:
        """Draw the exam and prepare the sandbox.

        Raises UsageError if the assignment does not exist, if another command is grading it, or if
        this machine lacks sandbox layers.
        """
        setting = self._setting = _setting(place, limits)
        find_assignment(setting)
        place.home.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            # Two commands at once would take each other's work for leftovers of a killed command.
            busy = f"{place.assignment} is being autograded already."
            stack.enter_context(held_lock(place.home / "lock", busy))
            stack.callback(gc.unfreeze)  # JupyterLab keeps running after this
            self._exam, self.run = self._open(stack)
            self._stack = stack.pop_all()
        self.assignment = self._exam.assignment
        self._unfinished = place.home / "unfinished"
        self._started: dict[str, Future[_Begun]] = {}

    def _open(self, stack: ExitStack) -> tuple[Exam, Run]:
        opened = stack.enter_context(open_run(self._setting))
        self._sandbox = opened.sandbox
        return opened.exam, opened.run

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def started(self, student: str, folder: Path) -> Submission | None:
        """Return the submission that `grade` will grade; None if it cannot be read or started.

        Starts it in the sandbox, unless `begin_next` has.
        """
        for other in self._started.keys() - {student}:
            self._drop(other)
        if student not in self._started:
            self.begin_next(student, folder)
        begun = self._started[student]
        return begun.result()[0] if begun.exception() is None else None

    def grade(self, student: str, folder: Path) -> Result:
        """Grade the submission in `folder`. Any exception is a fault of the grader."""
        self.started(student, folder)
        try:
            submission, session = self._started.pop(student).result()
        except Rejected as rejected:
            why = str(rejected)
            return without_checks(self._exam, student, Status.REJECTED, why, run=self.run.id)
        return grade(self._exam, submission, self._sandbox, begun=session, run=self.run.id)

    def begin_next(self, student: str, folder: Path) -> None:
        """Start a submission in the sandbox while nbgrader is busy with the one before.

        An error is raised later, by `grade` for that submission: it does not concern the current
        student.
        """
        begun: Future[_Begun] = Future()
        self._started[student] = begun
        try:
            begun.set_result(self._begin(student, folder))
        except Exception as error:  # noqa: BLE001 - raised by grade
            begun.set_exception(error)

    def _drop(self, student: str) -> None:
        """Close the session of a submission that nbgrader did not come to."""
        begun = self._started.pop(student)
        if begun.exception() is None:
            begun.result()[1].close()

    def _begin(self, student: str, folder: Path) -> _Begun:
        """Read a submission and start it in the sandbox. Raises Rejected if there is nothing to run."""
        submission = read_submission(self._found(student, folder), self.assignment)
        return submission, begin(self._exam, submission, self._sandbox)

    def _found(self, student: str, folder: Path) -> HandIn:
        return hand_in_of(student, folder, self.assignment.name)

    def blank(self, student: str) -> Result:
        """Return the ungraded result of a submission on which the grader failed."""
        return without_checks(self._exam, student, Status.UNGRADED, "", run=self.run.id)

    @property
    def unfinished(self) -> str:
        """The student whose grading a killed command left unfinished; empty if it ended normally."""
        try:
            return os.fsdecode(self._unfinished.read_bytes())
        except FileNotFoundError:
            return ""

    def begin(self, student: str) -> None:
        """Record this submission as the unfinished one, replacing the one before."""
        write_whole(self._unfinished, os.fsencode(student))

    def end(self) -> None:
        """Record that no submission is unfinished."""
        self._unfinished.unlink(missing_ok=True)


def _setting(place: CoursePaths, limits: Limits) -> Setting:
    return Setting(
        assignment=place.assignment,
        place=place.solutions,
        home=place.home,
        limits=limits,
        private=(place.solutions / place.assignment, *place.private),
        allow_degraded=place.allow_degraded,
        switch="c.GradingExporter.allow_degraded = True",
    )
