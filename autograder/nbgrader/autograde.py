"""One `nbgrader autograde` of an assignment: its engine, and its notes for the next."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

from autograder.errors import GraderFault, Rejected, UsageError
from autograder.files import write_whole
from autograder.grading.engines import local_engine
from autograder.grading.explaining import bug_words
from autograder.grading.grade import without_checks
from autograder.grading.open_run import Setting, find_assignment, held_lock
from autograder.grading.task import Graded, grade_one
from autograder.records import RecordError, from_json, to_json
from autograder.results import Status
from autograder.submission.find import hand_in_of
from autograder.submission.read import read_files

if TYPE_CHECKING:
    from autograder.results import Result
    from autograder.submission.read import Submission


ROUNDS_FILE = "rounds.json"


@dataclass(frozen=True)
class Rounds:
    """The rounds in which submissions were graded (see `Run`).

    Attributes:
        begun: how many commands have graded.
        of_submissions: maps a student to the digest of the submission and its round.
    """

    begun: int = 0
    of_submissions: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> Rounds:
        """Return the rounds that a folder holds; none if it is new. Raises UsageError if they cannot be read."""
        path = folder / ROUNDS_FILE
        try:
            return from_json(cls, path.read_bytes()) if path.exists() else cls()
        except (OSError, RecordError) as error:
            raise UsageError(
                f"{path} cannot be read ({error}). Delete it: all submissions then meet the first questions again."
            ) from None

    def with_submission(self, student: str, sha256: str, number: int) -> Rounds:
        """Return the rounds with that of a submission. One that is the same stays in its round."""
        before, known = self.of_submissions.get(student, ("", 0))
        entry = (sha256, known if before == sha256 else number)
        return Rounds(number + 1, {**self.of_submissions, student: entry})


class Grading:
    """Grade all submissions in one engine, as `autograder grade` does; keep seed and rounds for the next command.

    A submission that has changed since it was graded meets other questions.
    """

    def __init__(self, setting: Setting, submissions: int = 1) -> None:
        """Open the run.

        Raises UsageError if the assignment does not exist, if another command is grading it, or if
        this machine lacks sandbox layers.
        """
        find_assignment(setting)
        setting.home.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            # Two commands at once would take each other's work for leftovers of a killed command.
            busy = f"{setting.assignment} is being autograded already."
            stack.enter_context(held_lock(setting.home / "lock", busy))
            stack.callback(gc.unfreeze)  # JupyterLab keeps running after this
            self._engine = stack.enter_context(local_engine(1, submissions))
            self._setting, outline = self._engine.open(setting)
            outline.run.write(setting.home)
            self._stack = stack.pop_all()
        self.run, self._exam = outline.run, outline.exam
        self.assignment = self._exam.assignment
        self._unfinished = setting.home / "unfinished"
        self._rounds = Rounds.read(setting.home)
        self._round = self._rounds.begun
        self._latest: tuple[str, Future[Graded | None]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def started(self, student: str, folder: Path) -> Submission | None:
        """Grade a submission, and return it as it was read; None if it cannot be read or graded."""
        begun = self._begun(student, folder)
        graded = None if begun.exception() else begun.result()
        return graded.source if graded else None

    def grade(self, student: str, folder: Path) -> Result:
        """Return the result of the submission in `folder`. Any exception is a fault of the grader."""
        begun, self._latest = self._begun(student, folder), None
        try:
            graded = begun.result()
        except Rejected as rejected:
            why = str(rejected)
            return without_checks(self._exam, student, Status.REJECTED, why, run=self.run.id)
        assert graded is not None
        if graded.fault:
            raise GraderFault(graded.fault)
        for bug in graded.bugs:
            print(bug_words(student, bug), file=sys.stderr)  # noqa: T201 - beside nbgrader's own log
        return graded.result

    def _begun(self, student: str, folder: Path) -> Future[Graded | None]:
        """Give a submission to the engine, unless it was the last one that was started."""
        if self._latest is None or self._latest[0] != student:
            begun: Future[Graded | None] = Future()
            try:
                with TemporaryDirectory(prefix="autograder-") as scratch:
                    found = hand_in_of(student, folder, self.assignment.name, Path(scratch))
                    given = read_files(found)
                setting = self._in_its_round(student, given.sha256)
                begun = self._engine.submit(partial(grade_one, setting, self.run.id, given))
            except Exception as error:  # noqa: BLE001 - raised by grade
                begun.set_exception(error)
            self._latest = student, begun
        return self._latest[1]

    def _in_its_round(self, student: str, sha256: str) -> Setting:
        """Note in which round a submission is graded, before it is, and return the setting."""
        self._rounds = self._rounds.with_submission(student, sha256, self._round)
        home = self._setting.home
        write_whole(home / ROUNDS_FILE, to_json(self._rounds), secret=True)
        return replace(self._setting, round=self._rounds.of_submissions[student][1])

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
