"""One student's work, checked step by step: the engine of pytest, of `check()` in a notebook, and of commands.

    practice = Practice(folder, kept_sandbox())
    practice.prepare()                      # the worker imports torch meanwhile
    practice.take_file()                    # again whenever the file may have changed
    for result in practice.check_all():     # or one step: practice.check("project")
        ...

Marks, mistakes and sentences are the same in every place; only where a line stands is named as the place names it.
"""

from __future__ import annotations

import contextlib
import time
import warnings
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.assignment.assignment import is_release
from autograder.errors import GraderFault, UsageError
from autograder.results import LoadReport, Outcome, WhySkipped, paragraphs
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import best_sandbox
from autograder.student.memory import LAST_CHECKS, LastCheck, remember
from autograder.student.release_folder import file_to_check, left_to_do, load_exam

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.exam.questions import Exam, Request
    from autograder.grading.grader import Grader
    from autograder.grading.points import CriterionResult
    from autograder.results import Block, CheckResult, Skipped
    from autograder.sandbox.sandbox import Sandbox
    from autograder.sandbox.session import Session
    from autograder.submission.notebook_work import Pieces

# Shorter than in grading: a student waits for an endless loop.
PRACTICE_SECONDS = 5.0


def kept_sandbox(seconds: float = PRACTICE_SECONDS) -> Sandbox:
    """Return the sandbox for work that is checked again and again: a new worker costs milliseconds.

    A student's own code needs no isolation on their machine, and no limit on memory.
    """
    return best_sandbox(Limits(cpu=seconds), layers=("process",))


def sandbox_for_one_run(folder: Path, seconds: float | None = None) -> Sandbox:
    """Return the sandbox that is ready first. In an instructor's folder, code of others is isolated as in grading."""
    if is_release(folder):
        return FreshSandbox(Limits(cpu=seconds or PRACTICE_SECONDS))
    return best_sandbox(Limits(cpu=seconds) if seconds else Limits())


class Practice:
    """The checks of the assignment in `folder`, released or with its solution, on one student's work.

    Args:
        file: the file to check; by default the student's own.

    Attributes:
        file: the file that was taken; None for source from elsewhere.
        note: which file was taken, if it is another than expected, and what was left out of it.
        pieces: the work that is checked.
        aside: the names that only cells make which are not part of the work.
        results: the results for this work so far, in order.
    """

    def __init__(self, folder: Path, sandbox: Sandbox, file: Path | None = None) -> None:
        self.folder = folder
        self.file: Path | None = None
        self.note = ""
        self.pieces: Pieces | None = None
        self.aside: frozenset[str] = frozenset()
        self.results: list[CheckResult] = []
        self._given = file
        self._sandbox = sandbox
        self._grader: Grader | None = None
        self._skipped: dict[str, Skipped] = {}  # statements that did not end, by their text
        self._taken_at = 0.0

    @cached_property
    def exam(self) -> Exam:
        """The questions: the released ones, or newly drawn ones if the folder has the solution."""
        return load_exam(self.folder)

    @property
    def is_loaded(self) -> bool:
        """Whether a worker has the work."""
        return self._grader is not None

    @property
    def loaded(self) -> LoadReport:
        """What came of loading the work; empty if that was not done, or ended the worker."""
        return self._grader.session.loaded if self._grader else LoadReport()

    def prepare(self) -> None:
        """Start a worker, unless one has the work. If the start fails, the next check reports the error."""
        if not self.is_loaded:
            with contextlib.suppress(GraderFault, OSError):
                self._sandbox.prepare()

    def take_file(self) -> None:
        """Take the student's file as it is now. Raises Rejected or UsageError if it cannot be read."""
        from autograder.submission.find import find_hand_ins  # noqa: PLC0415 - while the worker starts
        from autograder.submission.read import read_submission  # noqa: PLC0415

        assignment = self.exam.assignment
        file, note = (self._given, "") if self._given else file_to_check(self.folder, assignment)
        found = find_hand_ins([file], assignment.name)
        if len(found) != 1:
            raise UsageError(f"{file} holds {len(found)} submissions; give the file of one.")
        submission = read_submission(found[0], assignment)
        self.take(submission.pieces, submission.aside)
        self.file, self.note = file, " ".join(filter(None, (note, submission.note)))

    def take(self, pieces: Pieces, aside: frozenset[str] = frozenset()) -> None:
        """Take these pieces of source. The worker goes on if they are the same as before."""
        self.aside = aside
        self._taken_at = time.time()
        if pieces != self.pieces:
            self.drop()
            self.pieces = pieces
            self.results = []

    def try_again(self, text: str) -> None:
        """Run the statements in this text again, even if they did not end when the work was loaded before."""
        self._skipped = {one: why for one, why in self._skipped.items() if one not in text}

    def check(self, step: str) -> CheckResult:
        """Check a step of the work; takes the file first, if nothing was taken. In a release, the result is remembered.

        Raises Rejected or UsageError if the file cannot be read, GraderFault if no worker can be started.
        """
        from autograder.explain.feedback import told_once  # noqa: PLC0415 - while the worker starts

        if self.pieces is None:
            self.take_file()
        try:
            grader = self._grader = self._grader or self._load()
            checked = grader.check(self.exam.assignment.by_step[step])
            result = told_once((*self.results, checked))[-1]
        except BaseException:  # perhaps it was interrupted between a request and its answer
            self.drop()
            raise
        while grader.explaining.bugs:
            warnings.warn(grader.explaining.bugs.pop(), stacklevel=2)
        self.results.append(result)
        if is_release(self.folder):
            remember(self.folder, LAST_CHECKS, step, self.last(result))
        return result

    def last(self, result: CheckResult) -> LastCheck:
        """Return a result with what was said of the work as a whole, for who wants to see it again."""
        about = (*paragraphs(self.note), *self.problems())
        return LastCheck(self._taken_at, result, about, self._look(result))

    def _look(self, result: CheckResult) -> str:
        """Return where the check says to look for the explained fault, or for shapes; empty if the feedback says it."""
        from autograder.explain.own_numbers import fault_kinds  # noqa: PLC0415 - while the worker starts

        for one in self._failed(result):
            if one.asked and one.feedback and (one.difference or one.outcome is Outcome.RAISED):
                kinds = fault_kinds(one.difference) if one.difference else ("shape",)
                look = one.asked.check.look(one.asked.criterion, *kinds)
                return "" if look == one.feedback.hint else look
        return ""

    def check_all(self) -> Iterator[CheckResult]:
        """Check all steps in order. Each result is there as soon as it is known."""
        yield from map(self.check, self.exam.assignment.by_step)

    def _load(self) -> Grader:
        """Load the work in a worker. The statements that did not end are remembered, and left out the next time."""
        from autograder.grading.explaining import Explaining  # noqa: PLC0415 - while the worker starts
        from autograder.grading.grader import Grader  # noqa: PLC0415

        try:
            session = self._session()
        except GraderFault:
            simpler = self._sandbox.fallback()
            if simpler is None:
                raise
            self._sandbox.close()
            self._sandbox = simpler
            session = self._session()
        self._skipped |= {
            one.text: one
            for one in session.loaded.skipped
            if one.why is not WhySkipped.AFTER_OTHERS
        }
        return Grader(self.exam, session, explaining=Explaining(aside=self.aside))

    def _session(self) -> Session:
        from autograder.grading.grade import open_session  # noqa: PLC0415 - while the worker starts
        from autograder.sandbox.skips import KnownSkips  # noqa: PLC0415

        assert self.pieces is not None
        session = open_session(self.exam, self.pieces, self._sandbox, KnownSkips(self._skipped))
        try:
            session.load()
        except BaseException:  # interrupted: nobody else can end the worker
            session.close()
            raise
        return session

    def drop(self) -> None:
        """End the worker that has the work."""
        if self._grader is not None:
            self._grader.session.close()
        self._grader = None

    def close(self) -> None:
        """End all workers."""
        self.drop()
        self._sandbox.close()

    # What there is to say beside the results.

    def problems(self) -> tuple[Block, ...]:
        """Return what is wrong with the work as a whole; empty if nothing is."""
        return self._grader.about_the_file() if self._grader else ()

    def problems_behind(self, result: CheckResult) -> tuple[Block, ...]:
        """Return what is wrong with the work as a whole, if a step failed because of it."""
        return self.problems() if result.words.is_of_the_file else ()

    def left_to_do(self) -> list[str]:
        """Return what is left to do when all steps are right, in sentences."""
        if self.file is None:
            return []
        return left_to_do(self.file, self.folder / f"{self.exam.assignment.name}.ipynb")

    def expected_numbers(self, result: CheckResult) -> list[Block]:
        """Return the right numbers where the feedback has the student's, for public questions only."""
        from autograder.explain.feedback_text import numbers_blocks  # noqa: PLC0415 - while the worker starts
        from autograder.explain.own_numbers import own_numbers  # noqa: PLC0415

        for one in self._failed(result) if self.exam.public and result.words.numbers else ():
            if one.asked and one.difference:
                slack, decimals = one.asked.criterion.slack, one.asked.right[0].decimals
                asked = one.asked.check, one.asked.criterion.name, one.difference
                right = own_numbers(*asked, decimals=decimals, slack=slack, expected=True)
                return numbers_blocks(right, "Expected")
        return []

    def deciding_request(self, result: CheckResult) -> Request | None:
        """Return the first request whose answer is wrong, else the step's first; None if it would end this process."""
        for one in self._failed(result):
            if one.asked is not None:
                error = one.seen.error if one.seen else None
                ends = one.outcome in (Outcome.CRASHED, Outcome.EXITED) and error is None
                return None if ends else one.asked.question.requests[one.asked.probe]
        first = (one.requests[0] for one in self.exam.questions if one.step == result.step)
        return next(first, None) if result.is_full else None

    def _failed(self, result: CheckResult) -> list[CriterionResult]:
        """Return the criteria of a step that are not right."""
        settled = self._grader.settled.get(result.step) if self._grader else None
        return [one for one in settled.results.values() if not one.passed] if settled else []
