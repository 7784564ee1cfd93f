"""One `nbgrader autograde` of an assignment: its exam, its sandbox or processes, and its notes for the next."""

from __future__ import annotations

import gc
import os
import sys
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from autograder.errors import GraderFault, Rejected
from autograder.files import write_whole
from autograder.grading.capacity import count_cores, default_jobs, free_cores
from autograder.grading.engines import GradingProcesses
from autograder.grading.explaining import bug_words
from autograder.grading.grade import begin, grade, without_checks
from autograder.grading.open_run import Setting, find_assignment, held_lock, open_run
from autograder.grading.run_seed import settled_seed
from autograder.grading.task import Graded, grade_one, open_here
from autograder.results import Status
from autograder.submission.find import hand_in_of
from autograder.submission.read import read_files, read_submission

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.exam.questions import Exam
    from autograder.grading.run_seed import Run
    from autograder.results import Result
    from autograder.sandbox.session import SandboxSession
    from autograder.submission.hand_in import HandIn
    from autograder.submission.read import Submission

# Up to here, starting further processes costs more time than they save.
_LARGE = 150


def jobs_beside_nbgrader(submissions: int) -> int:
    """Return how many processes grade best beside nbgrader's own; 1 means that it grades itself.

    It alone uses two cores: while it converts one notebook, the next one's code runs. With further
    processes it needs a core for itself.
    """
    spare = count_cores() - 1
    if spare == 1 or submissions <= _LARGE:
        return 1
    return max(1, min(spare, default_jobs(submissions)))


class Grading:
    """Grade all submissions with one exam and one warm sandbox; keep the seed for the next command.

    Attributes:
        ahead: how many submissions may begin before nbgrader comes to them.
    """

    ahead = 1

    def __init__(self, setting: Setting) -> None:
        """Draw the exam and prepare the sandbox.

        Raises UsageError if the assignment does not exist, if another command is grading it, or if
        this machine lacks sandbox layers.
        """
        self._setting = setting
        find_assignment(setting)
        setting.home.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            # Two commands at once would take each other's work for leftovers of a killed command.
            busy = f"{setting.assignment} is being autograded already."
            stack.enter_context(held_lock(setting.home / "lock", busy))
            stack.callback(gc.unfreeze)  # JupyterLab keeps running after this
            self._exam, self.run = self._open(stack)
            self._stack = stack.pop_all()
        self.assignment = self._exam.assignment
        self._unfinished = setting.home / "unfinished"
        self._begun: dict[str, Future[Any]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def started(self, student: str, folder: Path) -> Submission | None:
        """Return the submission that `grade` will grade; None if it cannot be read or started.

        Starts it, unless `begin_next` has.
        """
        self._drop_others(student)
        if student not in self._begun:
            self.begin_next(student, folder)
        begun = self._begun[student]
        return None if begun.exception() else self._source(begun.result())

    def grade(self, student: str, folder: Path) -> Result:
        """Return the result of the submission in `folder`. Any exception is a fault of the grader."""
        self.started(student, folder)
        try:
            begun = self._begun.pop(student).result()
        except Rejected as rejected:
            why = str(rejected)
            return without_checks(self._exam, student, Status.REJECTED, why, run=self.run.id)
        return self._result(student, begun)

    def begin_next(self, student: str, folder: Path) -> None:
        """Start a submission while nbgrader is busy with the one before.

        An error is raised later, by `grade` for that submission: it does not concern the current
        student.
        """
        if student in self._begun:
            return
        begun: Future[Any] = Future()
        try:
            begun = self._begin(hand_in_of(student, folder, self.assignment.name))
        except Exception as error:  # noqa: BLE001 - raised by grade
            begun.set_exception(error)
        self._begun[student] = begun

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

    # What `ParallelGrading` does in another way.

    def _open(self, stack: ExitStack) -> tuple[Exam, Run]:
        opened = stack.enter_context(open_run(self._setting))
        self._sandbox = opened.sandbox
        return opened.exam, opened.run

    def _begin(self, hand_in: HandIn) -> Future[Any]:
        """Read a submission and start it in the sandbox. Raises Rejected if there is nothing to run."""
        submission = read_submission(hand_in, self.assignment)
        begun: Future[tuple[Submission, SandboxSession]] = Future()
        begun.set_result((submission, begin(self._exam, submission, self._sandbox)))
        return begun

    def _source(self, begun: Any) -> Submission | None:
        submission: Submission = begun[0]
        return submission

    def _result(self, student: str, begun: Any) -> Result:  # noqa: ARG002
        submission, session = begun
        return grade(self._exam, submission, self._sandbox, begun=session, run=self.run.id)

    def _drop_others(self, student: str) -> None:
        """Close the sessions of submissions that nbgrader did not come to."""
        for other in self._begun.keys() - {student}:
            begun = self._begun.pop(other)
            if begun.exception() is None:
                begun.result()[1].close()


class ParallelGrading(Grading):
    """Grade in `jobs` processes, each with its own exam and sandbox, while nbgrader writes its files in this one."""

    def __init__(self, setting: Setting, jobs: int) -> None:
        """Start the processes. Raises UsageError like `Grading`."""
        self._jobs = jobs
        self.ahead = 2 * jobs
        super().__init__(setting)

    def _open(self, stack: ExitStack) -> tuple[Exam, Run]:
        setting = self._setting
        seed = settled_seed(setting.home, setting.assignment, None, fresh=False)
        self._setting = replace(setting, seed=seed)
        self._processes = stack.enter_context(GradingProcesses(self._jobs, free_cores(self._jobs)))
        outline = self._processes.submit(open_here, self._setting).result()
        outline.run.write(setting.home)
        return outline.exam, outline.run

    def _begin(self, hand_in: HandIn) -> Future[Any]:
        given = read_files(hand_in, self.assignment.name)
        return self._processes.submit(grade_one, self._setting, self.run.id, given)

    def _source(self, begun: Any) -> Submission | None:
        graded: Graded = begun
        return graded.source

    def _result(self, student: str, begun: Any) -> Result:
        graded: Graded = begun
        if graded.fault:
            raise GraderFault(graded.fault)
        for bug in graded.bugs:
            print(bug_words(student, bug), file=sys.stderr)  # noqa: T201 - beside nbgrader's own log
        return graded.result

    def _drop_others(self, student: str) -> None:
        """Keep them all: they are graded ahead."""
