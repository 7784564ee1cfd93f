"""Grade many submissions. A failure in one never stops the others."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass, field, replace
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING

from autograder.errors import GraderFault, Rejected
from autograder.grading.explaining import place_of
from autograder.grading.task import Graded, grade_one, rejected, ungraded
from autograder.submission.directory import NOBODY
from autograder.submission.read import parse_submission, read_files

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from autograder.grading.engines import Engine
    from autograder.grading.open_run import RunOutline, Setting
    from autograder.results import Result
    from autograder.submission.hand_in import HandIn

    Running = dict[Future[Graded | None], HandIn]


@dataclass
class ClassGrading:
    """Grade the submissions of a class in parallel.

    Attributes:
        setting: how each process of the engine opens the run.
        has_earlier: whether the student of a hand-in that was not read yet has an earlier result.
        earlier: returns the submission's earlier result in this run if that stays, or None.
        round_of: the round in which a submission is graded (see `Run`).
        has_source: whether the caller has the source of a submission with an earlier result.
        report: called with the student and the text of a failure of the grader. The text of a bug
            is its traceback.
        report_bug: the same for a failure to explain, once for each place in the kit. The points stand.
        dump: makes `results.json` of a result, in the grading process; None if nobody needs it.
    """

    engine: Engine
    setting: Setting
    outline: RunOutline
    has_earlier: Callable[[HandIn], bool] = lambda _: False
    earlier: Callable[[HandIn], Result | None] = lambda _: None
    round_of: Callable[[HandIn], int] | None = None
    has_source: Callable[[HandIn], bool] = lambda _: False
    report: Callable[[str, str], object] = print
    report_bug: Callable[[str, str], object] = print
    dump: Callable[[Result], bytes] | None = None
    _told: set[str] = field(default_factory=set)
    _later: dict[int, list[HandIn]] = field(default_factory=dict)
    _done: SimpleQueue[Future[Graded | None]] = field(default_factory=SimpleQueue)

    def results(self, found: Iterable[HandIn]) -> Generator[Graded]:
        """Yield a result for each submission, in the order in which they finish.

        A submission that only the wall clock stopped is graded again at the end, alone. No more
        submissions are in memory than the engine needs. Those of earlier rounds follow at the end, since each process
        draws their exam anew. Raises GraderFault if the whole engine is lost.
        """
        try:
            yield from self._round(found)
            for number in sorted(self._later):
                self.setting = replace(self.setting, round=number)
                yield from self._round(self._later.pop(number))
        except BrokenExecutor as lost:
            raise GraderFault(str(lost)) from None

    def _round(self, found: Iterable[HandIn]) -> Generator[Graded]:
        again: list[HandIn] = []
        yield from self._results(found, again)
        yield from self._results(again, again, alone=True)

    def _results(
        self, found: Iterable[HandIn], again: list[HandIn], *, alone: bool = False
    ) -> Generator[Graded]:
        running: Running = {}
        for submission in found:
            future = self._start(submission, alone=alone)
            if future is None:
                continue
            running[future] = submission
            future.add_done_callback(self._done.put)
            while len(running) >= (1 if alone else self.engine.ahead):
                yield from self._finished(running, again)
        while running:
            yield from self._finished(running, again)

    def _start(self, found: HandIn, *, alone: bool) -> Future[Graded | None] | None:
        """Give a hand-in to the engine if there is no earlier result. It is read here if that is needed.

        Returns None if it is graded later, in its own round.
        """
        ready: Future[Graded | None] = Future()
        assignment = self.outline.exam.assignment
        try:
            has_earlier = self.has_earlier(found)
            if has_earlier or found.problem or not (found.files and self.engine.shares_disk):
                given = read_files(found)
            else:
                given = replace(found, person=NOBODY)
            if has_earlier and (kept := self.earlier(given)):
                has_source = self.has_source(given)
                source = None if has_source else parse_submission(given, assignment)
                ready.set_result(Graded(kept, source))
                return ready
            if has_earlier and self.round_of and self.round_of(given) != self.setting.round:
                self._later.setdefault(self.round_of(given), []).append(found)
                return None
        except Exception as error:  # noqa: BLE001 - a bug of the grader must not stop the others
            ready.set_exception(error)
            return ready
        alone = alone or self.engine.ahead == 1
        run = self.outline.run.id
        work = partial(grade_one, self.setting, run, given, alone=alone, dump=self.dump)
        return self.engine.submit(work)

    def _finished(self, running: Running, again: list[HandIn]) -> Generator[Graded]:
        """Wait until a submission is graded, and yield it."""
        future = self._done.get()
        found = running.pop(future)
        graded = self._outcome(found, future)
        if graded is None:
            again.append(found)
        else:
            yield graded

    def _outcome(self, found: HandIn, future: Future[Graded | None]) -> Graded | None:
        exam, run = self.outline.exam, self.outline.run.id
        try:
            graded = future.result()
        except BrokenExecutor:
            raise
        except Rejected as error:
            graded = rejected(exam, found, error, run)
        except Exception as error:  # noqa: BLE001 - the loss of a process must not stop the others
            graded = ungraded(exam, found, error, run=run)
        if graded is None:
            return None
        if graded.fault:
            self.report(found.student, graded.fault)
        for bug in graded.bugs:
            if (place := place_of(bug)) not in self._told:
                self._told.add(place)
                self.report_bug(found.student, bug)
        return graded
