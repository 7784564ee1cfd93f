"""Grade one submission in this process. Any `concurrent.futures.Executor` can run `grade_one`.

A process opens a run when it gets the run's first submission, and keeps it open for the next ones.
"""

from __future__ import annotations

import traceback
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from autograder.errors import GraderFault, Rejected
from autograder.grading.budget import Budget, OverBudget
from autograder.grading.explaining import Explaining, bug_report, plain_words
from autograder.grading.grade import grade, without_checks
from autograder.grading.observations import NotAlone
from autograder.grading.open_run import OpenRun, RunOutline, Setting, in_round, prepare_run
from autograder.results import Result, Status
from autograder.submission.neighbours import refuse_foreign
from autograder.submission.read import Submission, parse_submission

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.exam.questions import Exam
    from autograder.submission.hand_in import HandIn


@dataclass(frozen=True)
class Graded:
    """A submission's result.

    Attributes:
        source: the submission as it was read; None if it could not be read.
        file: the result as `results.json`; empty if the caller did not ask for it.
        fault: why the grader failed, for the instructor; for a bug, the traceback.
        bugs: the tracebacks of failures to explain. The points stand.
    """

    result: Result
    source: Submission | None = None
    file: bytes = b""
    fault: str = ""
    bugs: tuple[str, ...] = ()


# The exams of so many rounds are kept.
_MOST_ROUNDS = 4


@dataclass(frozen=True)
class _Opened:
    """The run that is open in this process.

    Attributes:
        setting: that of the first round.
        rounds: the run with the exam of each round, the last one drawn last.
    """

    setting: Setting
    stack: ExitStack
    rounds: dict[int, OpenRun]


_opened: _Opened | None = None


def open_here(setting: Setting) -> RunOutline:
    """Open a run in this process, and close the one before. Another round of the same run shares its sandbox.

    Raises what `prepare_run` raises.
    """
    global _opened  # noqa: PLW0603 - a process grades one run at a time
    if _opened is None or replace(_opened.setting, round=setting.round) != setting:
        close_here()
        with ExitStack() as stack:
            run = stack.enter_context(prepare_run(setting))
            _opened = _Opened(setting, stack.pop_all(), {setting.round: run})
    rounds = _opened.rounds
    if setting.round not in rounds:
        rounds[setting.round] = in_round(next(iter(rounds.values())), setting)
        if len(rounds) > _MOST_ROUNDS:
            del rounds[next(iter(rounds))]
    return rounds[setting.round].outline


def close_here() -> None:
    """Close the run that is open in this process."""
    global _opened
    before, _opened = _opened, None
    if before is not None:
        before.stack.close()


def grade_one(
    setting: Setting,
    run: str,
    given: HandIn,
    *,
    alone: bool = True,
    dump: Callable[[Result], bytes] | None = None,
) -> Graded | None:
    """Grade one submission of the run with this id; open the run if this process has not.

    `dump` makes `results.json` of the result,
    here and not in the process that collects the results.
    Returns None if the submission is to be graded again, `alone`: only the wall clock stopped it.
    Raises GraderFault if this process has another version of the kit or of the assignment.
    """
    open_here(setting)
    assert _opened is not None
    opened = _opened.rounds[setting.round]
    if opened.run.id != run:
        raise GraderFault(
            f"{setting.place / setting.assignment} has changed since the run began, or is another version here. "
            "Grade again with the same files and the same version of the kit."
        )
    try:
        graded = _graded(opened, given, alone=alone)
    except NotAlone:
        return None
    except Rejected as error:
        graded = rejected(opened.exam, given, error, run)
    return _dumped(graded, dump) if dump else graded


def _dumped(graded: Graded, dump: Callable[[Result], bytes]) -> Graded:
    """Return a result with its `results.json`. Feedback that cannot be written costs its words."""
    explaining = Explaining()
    if file := explaining.words(partial(dump, graded.result), None):
        return replace(graded, file=file)
    checks = tuple(
        replace(check, feedback=check.feedback and plain_words(check.step, check.outcome))
        for check in graded.result.checks
    )
    result = replace(graded.result, checks=checks)
    bugs = (*graded.bugs, *explaining.bugs)
    return replace(graded, result=result, file=dump(result), bugs=bugs)


def _graded(opened: OpenRun, given: HandIn, *, alone: bool) -> Graded:
    bugs: list[str] = []
    try:
        source = read_within_budget(opened.exam, given)
        refuse_foreign(source, opened.exam.assignment)
        result = grade(
            opened.exam,
            source,
            opened.sandbox,
            run=opened.run.id,
            alone=alone,
            bugs=bugs,
        )
    except (Rejected, NotAlone):
        raise
    except Exception as error:  # noqa: BLE001 - a bug of the grader must not stop the others
        return ungraded(opened.exam, given, error, run=opened.run.id)
    result = replace(result, round=opened.run.round)
    return Graded(result, source, bugs=tuple(bugs))


def read_within_budget(exam: Exam, given: HandIn) -> Submission:
    """Cut a submission into pieces. Raises Rejected if nothing can run or reading takes too much memory.

    Raises GraderFault if it takes too much time.
    """
    try:
        return Budget().spend(partial(parse_submission, given, exam.assignment))
    except OverBudget as over:
        raise (GraderFault if over.is_time else Rejected)(too_costly(over.what)) from None


def too_costly(cost: str) -> str:
    """Return the message for a submission that costs the grader more than its budget."""
    return (
        f"Reading and judging your submission took {cost}. "
        "Remove what the task does not ask for, and hand it in again."
    )


def rejected(exam: Exam, given: HandIn, error: Rejected, run: str) -> Graded:
    """Return the result of a submission in which nothing can be run; a bug that is the cause is reported."""
    result = without_checks(exam, given.student, Status.REJECTED, str(error), run=run)
    return Graded(result, bugs=tuple(map(bug_report, filter(None, [error.__cause__]))))


def ungraded(exam: Exam, given: HandIn, error: BaseException, *, run: str) -> Graded:
    """Return the result of a submission on which the grader failed."""
    known = isinstance(error, GraderFault)
    why = str(error) if known else f"{type(error).__name__}: {error}"
    text = "The grader itself failed; this says nothing about your work. It will be graded again."
    result = without_checks(
        exam, given.student, Status.UNGRADED, text, why, run=run, sha256=given.sha256
    )
    fault = why if known else "".join(traceback.format_exception(error))
    return Graded(result, fault=fault)
