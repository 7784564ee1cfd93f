"""Grade many submissions. A failure in one never stops the others."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from autograder.errors import GraderFault, Rejected
from autograder.grading.task import Graded, grade_one, rejected, ungraded
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
        earlier: returns the submission's earlier result in this run if that stays, or None.
        round_of: the round in which a submission is graded (see `Run`).
        has_source: whether the caller has the source of a submission with an earlier result.
        dump: makes `results.json` of a result, in the grading process.
    """

    engine: Engine
    setting: Setting
    outline: RunOutline
    earlier: Callable[[HandIn], Result | None]
    round_of: Callable[[HandIn], int]
    has_source: Callable[[HandIn], bool]
    dump: Callable[[Result], bytes]
    _later: dict[int, list[HandIn]] = field(default_factory=dict)

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
            while len(running) >= (1 if alone else self.engine.ahead):
                yield from self._finished(running, again)
        while running:
            yield from self._finished(running, again)

    def _start(self, found: HandIn, *, alone: bool) -> Future[Graded | None] | None:
        """Read a hand-in, and give it to the engine if there is no earlier result.

        Returns None if it is graded later, in its own round.
        """
        ready: Future[Graded | None] = Future()
        assignment = self.outline.exam.assignment
        try:
            given = read_files(found)
            if kept := self.earlier(given):
                has_source = self.has_source(given)
                source = None if has_source else parse_submission(given, assignment)
                ready.set_result(Graded(kept, source))
                return ready
            if (number := self.round_of(given)) != self.setting.round:
                self._later.setdefault(number, []).append(found)
                return None
        except Exception as error:  # noqa: BLE001 - a bug of the grader must not stop the others
            ready.set_exception(error)
            return ready
        alone = alone or self.engine.ahead == 1
        run = self.outline.run.id
        work = partial(grade_one, self.setting, run, given, alone=alone, dump=self.dump)
        return self.engine.submit(work)

    def _finished(self, running: Running, again: list[HandIn]) -> Generator[Graded]:
        """Wait until submissions are graded, and yield them."""
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            found = running.pop(future)
            if graded := self._outcome(found, future):
                yield graded
            else:
                again.append(found)

    def _outcome(self, found: HandIn, future: Future[Graded | None]) -> Graded | None:
        exam, run = self.outline.exam, self.outline.run.id
        try:
            return future.result()
        except BrokenExecutor:
            raise
        except Rejected as error:
            return rejected(exam, found, error, run)
        except Exception as error:  # noqa: BLE001 - the loss of a process must not stop the others
            return ungraded(exam, found, error, run=run)
