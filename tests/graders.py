"""Grade inside tests with the real grader, and with a worker in this process or in its own."""

from __future__ import annotations

import hashlib
import os
from contextlib import closing
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.grading.explaining import Explaining
from autograder.grading.grade import grade
from autograder.grading.grader import Grader
from autograder.results import Result, Status
from autograder.sandbox.fresh import FreshSandbox
from autograder.sandbox.limits import Limits
from autograder.submission.read import Submission
from autograder.testing import InProcessSession
from autograder.testing import open_in_process as open_session

if TYPE_CHECKING:
    from autograder.exam.questions import Exam
    from autograder.results import CheckResult
    from autograder.sandbox.sandbox import Sandbox

__all__ = [
    "check_all", "check_step", "grade_for_real", "grade_in", "open_session", "points_of", "result_of",
]  # fmt: skip


# The number of seeds on which marks are compared; `SEEDS=50 make test` is slow.
SEEDS = range(int(os.environ.get("SEEDS", "8")))


def check_step(exam: Exam, session: InProcessSession, step: str) -> CheckResult:
    """Return the result of one check in a session, which may belong to another draw of the exam."""
    check = next(check for check in exam.assignment.checks if check.name == step)
    explaining = Explaining()
    result = Grader(exam, session, explaining=explaining).check(check)
    assert explaining.bugs == []
    return result


def check_all(exam: Exam, source: str) -> dict[str, CheckResult]:
    session = open_session(exam, source)
    return {check.name: check_step(exam, session, check.name) for check in exam.assignment.checks}


def points_of(exam: Exam, source: str, *steps: str) -> dict[str, float]:
    """Return the points of these steps of a file, or of all, without an explanation."""
    grader = Grader(exam, open_session(exam, source))
    for check in exam.assignment.checks:
        if not steps or check.name in steps:
            grader.settle(check)
    return {
        step: sum(one.points for one in settled.results.values())
        for step, settled in grader.settled.items()
    }


def grade_for_real(
    exam: Exam, source: str, *, cpu: float = 10.0, sandbox: Sandbox | None = None
) -> Result:
    """Grade this source in its own worker process."""
    with closing(sandbox or FreshSandbox(Limits(cpu=cpu))) as opened:
        return grade_in(opened, exam, source)


def grade_in(sandbox: Sandbox, exam: Exam, source: str) -> Result:
    """Grade this source in a sandbox, which stays open."""
    bugs: list[str] = []
    pieces = ((f"{exam.assignment.name}.py", source),)
    result = grade(exam, Submission("student", pieces, "0" * 64), sandbox, bugs=bugs)
    assert bugs == []
    return result


def result_of(exam: Exam, source: str) -> Result:
    """Return the whole result for this source, run in this process."""
    return Result(
        assignment=exam.assignment.name,
        student="student",
        status=Status.GRADED,
        checks=tuple(check_all(exam, source).values()),
        about=(),
        public=exam.public,
        submission_sha256=hashlib.sha256(source.encode()).hexdigest(),
        kit_version=__version__,
        run="",
    )
