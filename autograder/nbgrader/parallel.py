"""Grade a class in processes while nbgrader, in its own process, writes the gradebook and the notebooks."""

from __future__ import annotations

import sys
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.errors import GraderFault, Rejected
from autograder.grading.capacity import count_cores, default_jobs, free_cores
from autograder.grading.engines import GradingProcesses
from autograder.grading.explaining import bug_words
from autograder.grading.grade import without_checks
from autograder.grading.run_seed import settled_seed
from autograder.grading.task import Graded, grade_one, open_here
from autograder.nbgrader.session import CoursePaths, Grading
from autograder.results import Status
from autograder.submission.read import read_files

if TYPE_CHECKING:
    from contextlib import ExitStack
    from pathlib import Path

    from autograder.exam.questions import Exam
    from autograder.grading.run_seed import Run
    from autograder.results import Result
    from autograder.sandbox.limits import Limits
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


class ParallelGrading(Grading):
    """Grade as `Grading` does, in `jobs` processes, each with its own exam and sandbox."""

    def __init__(self, place: CoursePaths, limits: Limits, jobs: int) -> None:
        """Start the processes. Raises UsageError like `Grading`."""
        self._jobs = jobs
        self.ahead = 2 * jobs
        self._graded: dict[str, Future[Graded | None]] = {}
        super().__init__(place, limits)

    def _open(self, stack: ExitStack) -> tuple[Exam, Run]:
        setting = self._setting
        seed = settled_seed(setting.home, setting.assignment, None, fresh=False)
        self._setting = replace(setting, seed=seed)
        self._processes = stack.enter_context(GradingProcesses(self._jobs, free_cores(self._jobs)))
        outline = self._processes.submit(open_here, self._setting).result()
        outline.run.write(setting.home)
        return outline.exam, outline.run

    def started(self, student: str, folder: Path) -> Submission | None:
        """Return the submission that was graded; None if it could not be read."""
        if student not in self._graded:
            self.begin_next(student, folder)
        future = self._graded[student]
        graded = None if future.exception() else future.result()
        return graded.source if graded else None

    def grade(self, student: str, folder: Path) -> Result:
        """Return the result of the submission in `folder`. Any exception is a fault of the grader."""
        self.started(student, folder)
        try:
            graded = self._graded.pop(student).result()
        except Rejected as rejected:
            why = str(rejected)
            return without_checks(self._exam, student, Status.REJECTED, why, run=self.run.id)
        assert graded is not None
        if graded.fault:
            raise GraderFault(graded.fault)
        for bug in graded.bugs:
            print(bug_words(student, bug), file=sys.stderr)  # noqa: T201 - beside nbgrader's own log
        return graded.result

    def begin_next(self, student: str, folder: Path) -> None:
        """Give a submission to the processes. An error is raised later, by `grade`."""
        if student in self._graded:
            return
        try:
            given = read_files(self._found(student, folder), self.assignment.name)
            future = self._processes.submit(grade_one, self._setting, self.run.id, given)
        except Exception as error:  # noqa: BLE001 - raised by grade
            future = Future()
            future.set_exception(error)
        self._graded[student] = future
