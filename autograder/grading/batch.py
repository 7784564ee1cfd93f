"""Grade many submissions. A failure in one never stops the others."""

from __future__ import annotations

import threading
import traceback
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.errors import GraderFault, Rejected
from autograder.grading.grade import grade, without_checks
from autograder.results import Result, Status
from autograder.submission.read import Submission, read_submission

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox
    from autograder.submission.find import Found


@dataclass
class Batch:
    """Grade submissions in parallel.

    Attributes:
        run: the run's id, written into every result.
        earlier: returns the submission's earlier result in this run, or None.
        report: called with the student and the text of a failure of the grader. The text of a bug
            is its traceback.
    """

    exam: Exam
    sandbox: Sandbox
    run: str
    jobs: int = 1
    earlier: Callable[[Submission], Result | None] = lambda _: None
    report: Callable[[str, str], object] = print

    def __post_init__(self) -> None:
        self._gate = _Gate()
        self._left = False

    def results(self, found: Sequence[Found]) -> Iterator[Result]:
        """Yield a result for each submission: first those that need no grading, then the others.

        The others come in the order in which they finish. Closing the iterator early stops the
        grading.
        """
        executor = ThreadPoolExecutor(max_workers=self.jobs)
        waiting: list[Future[Result]] = []
        try:
            for one in found:
                ready = self._read(one)
                if isinstance(ready, Result):
                    yield ready
                else:
                    waiting.append(executor.submit(self._grade, ready))
            for done in as_completed(waiting):
                yield done.result()
        finally:
            self._left = True
            executor.shutdown(wait=False, cancel_futures=True)
            self.sandbox.close()

    def _read(self, found: Found) -> Submission | Result:
        """Read a submission, or return its result if it needs no grading.

        It needs none if it was rejected, or if it was graded before.
        """
        try:
            submission = read_submission(found, self.exam.assignment)
        except Rejected as rejected:
            return without_checks(
                self.exam, found.student, Status.REJECTED, str(rejected), run=self.run
            )
        except Exception as error:  # noqa: BLE001 - a bug of the grader must not stop the others
            return self._ungraded(found.student, error)
        return self.earlier(submission) or submission

    def _grade(self, submission: Submission) -> Result:
        with self._gate.among_others():
            try:
                return grade(
                    self.exam, submission, self.sandbox, run=self.run, alone=self._gate.alone
                )
            except Exception as error:  # noqa: BLE001 - a bug of the grader must not stop the others
                return self._ungraded(submission.student, error, submission.sha256)

    def _ungraded(self, student: str, error: Exception, sha256: str = "") -> Result:
        known = isinstance(error, GraderFault)
        why = str(error) if known else f"{type(error).__name__}: {error}"
        if not self._left:
            self.report(student, why if known else "".join(traceback.format_exception(error)))
        words = f"The grader itself failed; this says nothing about your work. It will be graded again.\n\n{why}"
        return without_checks(
            self.exam, student, Status.UNGRADED, words, run=self.run, sha256=sha256
        )


class _Gate:
    """Grade many submissions in parallel, or one alone while the others wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._alone = False

    @contextmanager
    def among_others(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._alone)
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until no other thread grades, and block the others. Use inside `among_others`."""
        with self._changed:
            self._running -= 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._alone and self._running == 0)
            self._alone = True
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._running += 1
                self._changed.notify_all()
