"""Grade many submissions. A failure in one never stops the others."""

from __future__ import annotations

import math
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from autograder.errors import Rejected
from autograder.grading.container import memory_limit
from autograder.grading.cores import ANY_CORE, count_cores, free_cores
from autograder.grading.explaining import place_of
from autograder.grading.grade import without_checks
from autograder.grading.processes import GradingProcesses
from autograder.grading.task import Graded, close_here, grade_one, open_here, ungraded
from autograder.results import Result, Status
from autograder.submission.read import parse_submission, read_files

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from autograder.grading.open_run import RunOutline, Setting
    from autograder.submission.hand_in import HandIn

# So many submissions are graded in the command's own process, if that is the only one.
FEW = 20
# A process grades so many submissions with the computing time that a new process takes to start.
_WORTH_A_PROCESS = 60
# Bytes for a grading process, its fork server and a student's code.
_MEMORY = 2**30


class Here(Executor):
    """Run functions in this process, at once."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN002, ANN003, ANN201
        """Run a function. Its exceptions are the future's; an interrupt is raised."""
        done: Future[object] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - raised by the future
            done.set_exception(error)
        return done

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Close the run that is open in this process."""
        close_here()


@dataclass
class Engine:
    """Where submissions are graded.

    Attributes:
        setting: how each process opens the run.
        executor: calls `grade_one`, in any process.
        ahead: how many submissions it is given before the first result is awaited.
    """

    setting: Setting
    executor: Executor
    ahead: int = 1

    def open(self) -> RunOutline:
        """Open the run in one of the processes. Raises what `open_run` raises."""
        return self.executor.submit(open_here, self.setting).result()

    def check(self) -> None:
        """Raise GraderFault if no submission can be graded there any more."""


def default_jobs(submissions: int) -> int:
    """Return how many processes grade best: one for each core, fewer for few submissions or little memory."""
    jobs = min(count_cores(), math.ceil(submissions / _WORTH_A_PROCESS))
    if jobs == 1:
        return jobs
    import psutil  # noqa: PLC0415 - takes 20 ms, for large classes only

    memory = min(psutil.virtual_memory().available, memory_limit())
    return max(1, min(jobs, int(memory // _MEMORY)))


def local_engine(setting: Setting, jobs: int | None, submissions: int) -> Engine:
    """Return `jobs` grading processes on this machine, or this process for a few submissions.

    By default there are as many as grade best. If that is one, it may use all cores.
    """
    number = jobs or default_jobs(submissions)
    if number == 1 and submissions <= FEW:
        return Engine(setting, Here())
    cores = free_cores(number) if jobs or number > 1 else ANY_CORE
    return Engine(setting, GradingProcesses(number, cores), 2 * number)


@dataclass
class Batch:
    """Grade submissions in parallel.

    Attributes:
        earlier: returns the submission's earlier result in this run, or None.
        report: called with the student and the text of a failure of the grader. The text of a bug
            is its traceback.
        report_bug: the same for a failure to explain, once for each place in the kit. The points stand.
        dump: makes `results.json` of a result, in the grading process; None if nobody needs it.
    """

    engine: Engine
    outline: RunOutline
    earlier: Callable[[HandIn], Result | None] = lambda _: None
    report: Callable[[str, str], object] = print
    report_bug: Callable[[str, str], object] = print
    dump: Callable[[Result], bytes] | None = None
    _told: set[str] = field(default_factory=set)

    def results(self, found: Iterable[HandIn]) -> Generator[Graded]:
        """Yield a result for each submission, in the order in which they finish.

        A submission that only the wall clock stopped is graded again at the end, alone. No more
        submissions are in memory than the engine needs. Raises GraderFault if the whole engine is lost.
        """
        running: dict[Future[Graded | None], HandIn] = {}
        again: list[HandIn] = []
        for submission in found:
            ready = self._start(submission, running)
            if ready is not None:
                yield ready
            while len(running) >= self.engine.ahead:
                yield from self._finished(running, again)
        while running:
            yield from self._finished(running, again)
        for submission in again:
            ready = self._start(submission, running, alone=True)
            if ready is not None:
                yield ready
            while running:
                yield from self._finished(running, again)

    def _start(
        self,
        found: HandIn,
        running: dict[Future[Graded | None], HandIn],
        *,
        alone: bool = False,
    ) -> Graded | None:
        """Read the files, and give them to the engine; or return the result if it needs no grading."""
        try:
            given = read_files(found, self.outline.exam.assignment.name)
            if kept := self.earlier(given):
                return Graded(kept, parse_submission(given, self.outline.exam.assignment))
        except Rejected as rejected:
            return self._rejected(found.student, rejected)
        except Exception as error:  # noqa: BLE001 - a bug of the grader must not stop the others
            return self._ungraded(found, error)
        self.engine.check()
        alone = alone or self.engine.ahead == 1
        setting, run = self.engine.setting, self.outline.run.id
        work = partial(grade_one, setting, run, given, alone=alone, dump=self.dump)
        running[self.engine.executor.submit(work)] = found
        return None

    def _finished(
        self,
        running: dict[Future[Graded | None], HandIn],
        again: list[HandIn],
    ) -> Generator[Graded]:
        """Wait until a submission is graded; yield what is finished by then."""
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            found = running.pop(future)
            graded = self._outcome(found, future)
            if graded is None:
                again.append(found)
            else:
                yield graded

    def _outcome(self, found: HandIn, future: Future[Graded | None]) -> Graded | None:
        try:
            graded = future.result()
        except Rejected as rejected:
            return self._rejected(found.student, rejected)
        except Exception as error:  # noqa: BLE001 - the loss of a process must not stop the others
            self.engine.check()
            return self._ungraded(found, error)
        if graded is not None and graded.fault:
            self.report(found.student, graded.fault)
        for bug in graded.bugs if graded is not None else ():
            if (place := place_of(bug)) not in self._told:
                self._told.add(place)
                self.report_bug(found.student, bug)
        return graded

    def _rejected(self, student: str, why: Rejected) -> Graded:
        run = self.outline.run.id
        return Graded(
            without_checks(self.outline.exam, student, Status.REJECTED, str(why), run=run)
        )

    def _ungraded(self, found: HandIn, error: Exception) -> Graded:
        graded = ungraded(self.outline.exam, found, error, run=self.outline.run.id)
        self.report(found.student, graded.fault)
        return graded
