"""One `nbgrader autograde` of an assignment: its exam, its sandbox and its notes for the next."""

from __future__ import annotations

import gc
import os
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from filelock import FileLock, Timeout

from autograder.errors import Rejected, UsageError
from autograder.files import write_whole
from autograder.grading.grade import begin, grade, without_checks
from autograder.grading.open_run import Setting, find_assignment, open_run
from autograder.results import Status
from autograder.submission.find import SUFFIXES, Found
from autograder.submission.read import read_submission

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.results import Result
    from autograder.sandbox.limits import Limits
    from autograder.sandbox.session import SandboxSession
    from autograder.submission.read import Submission

    _Begun = tuple[Submission, SandboxSession]


@dataclass(frozen=True)
class Place:
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


@dataclass(frozen=True)
class Graded:
    """A submission's result and the name of the graded file, empty if no file could be read."""

    result: Result
    file: str = ""


class Grading:
    """Grade all submissions with one exam and one warm sandbox; keep the seed for the next command."""

    def __init__(self, place: Place, limits: Limits) -> None:
        """Draw the exam and prepare the sandbox.

        Raises UsageError if the assignment does not exist, if another command is grading it, or if
        this machine lacks sandbox layers.
        """
        setting = _setting(place, limits)
        find_assignment(setting)
        place.home.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            stack.enter_context(_only_one(place.home / "lock", place.assignment))
            stack.callback(gc.unfreeze)  # JupyterLab keeps running after this
            opened = stack.enter_context(open_run(setting))
            self._stack = stack.pop_all()
        self._sandbox, self._exam, self.run = opened.sandbox, opened.exam, opened.run
        self.assignment = self._exam.assignment
        self._unfinished = place.home / "unfinished"
        self._next: tuple[str, Future[_Begun]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def grade(self, student: str, folder: Path) -> Graded:
        """Grade the submission in `folder`. Any exception is a fault of the grader."""
        try:
            submission, session = self._begun_for(student) or self._begin(student, folder)
        except Rejected as rejected:
            why = str(rejected)
            return Graded(
                without_checks(self._exam, student, Status.REJECTED, why, run=self.run.id)
            )
        result = grade(self._exam, submission, self._sandbox, begun=session, run=self.run.id)
        return Graded(result, submission.pieces[0][0].partition(",")[0])

    def begin_next(self, student: str, folder: Path) -> None:
        """Start the next submission in the sandbox while nbgrader is busy with the current one.

        An error is raised later, by `grade` for that submission: it does not concern the current
        student.
        """
        self._next = student, Future()
        try:
            self._next[1].set_result(self._begin(student, folder))
        except Exception as error:  # noqa: BLE001 - raised by _begun_for
            self._next[1].set_exception(error)

    def _begun_for(self, student: str) -> _Begun | None:
        """Return the work started for this student, or None. Raises the error of that start."""
        if self._next is None:
            return None
        (expected, begun), self._next = self._next, None
        if expected == student:
            return begun.result()
        if begun.exception() is None:
            begun.result()[1].close()
        return None

    def _begin(self, student: str, folder: Path) -> _Begun:
        """Read a submission and start it in the sandbox. Raises Rejected if there is nothing to run."""
        name = self.assignment.name
        places = [] if folder.is_symlink() else [folder / f"{name}{suffix}" for suffix in SUFFIXES]
        files = tuple(place for place in places if os.path.lexists(place))
        submission = read_submission(Found(student, folder, files), self.assignment)
        return submission, begin(self._exam, submission, self._sandbox)

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


def _setting(place: Place, limits: Limits) -> Setting:
    return Setting(
        assignment=place.assignment,
        place=place.solutions,
        home=place.home,
        limits=limits,
        private=(place.solutions / place.assignment, *place.private),
        allow_degraded=place.allow_degraded,
        switch="c.GradingExporter.allow_degraded = True",
    )


def _only_one(path: Path, assignment: str) -> FileLock:
    """Return a held lock, which ends with its process. Raises UsageError if another process holds it.

    Two commands at once would take each other's work for leftovers of a killed command.
    """
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise UsageError(
            f"{assignment} is being autograded already. Wait until that has ended; {path} is held by it."
        ) from None
    return lock
