"""Grade rows of the truth tables and of the slips: their own steps, or the whole submission."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.grading.grade import grade
from autograder.submission.find import find_hand_ins
from autograder.submission.read import Submission, read_submission
from tests.exams import exam_of, source_of
from tests.graders import check_step, open_session
from tests.truth.slips.slip import FILE, Form, Slip
from tests.truth.stored import stored_of
from tests.truth.variant import Variant, base_of, submission

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.exam.questions import Exam
    from autograder.results import CheckResult, Result
    from autograder.sandbox.sandbox import Sandbox
    from tests.truth.stored import Row


def own_step(assignment: str, variant: Variant) -> CheckResult:
    exam = exam_of(assignment)
    return check_step(exam, open_session(exam, text_of(assignment, variant)), variant.step)


def text_of(assignment: str, variant: Variant) -> str:
    return submission(base_of(assignment), variant)


@functools.cache
def exam_about(assignment: str, steps: frozenset[str]) -> Exam:
    """Return the exam with the questions about these steps, and about those that they call."""
    return only_about(exam_of(assignment), steps)


def only_about(exam: Exam, steps: frozenset[str]) -> Exam:
    """Return an exam with the questions about these steps, and about those that they call."""
    uses = source_of(exam.assignment.name).uses
    needed = steps.union(*(uses[step] for step in steps))
    checks = tuple(check for check in exam.assignment.checks if check.name in needed)
    return replace(exam, assignment=replace(exam.assignment, checks=checks))


def steps_about(slip: Slip, row: Row) -> frozenset[str]:
    """Return the steps that a slip is about: the one that it names, and those that are not simply right."""
    return frozenset(stored_of(row)) | ({slip.where} - {FILE})


def slip_graded(
    slip: Slip, form: Form, folder: Path, sandbox: Sandbox, steps: frozenset[str] = frozenset()
) -> Result:
    """Grade these steps of a slip, or all, as the command does: its file is found, read and run in a worker."""
    exam = exam_about(slip.assignment, steps) if steps else exam_of(slip.assignment)
    [found] = find_hand_ins([slip.write(folder, form)], slip.assignment)
    result = grade(exam, read_submission(found, exam.assignment), sandbox)
    return replace(result, execution_time=0.0, student="student")


def whole(row: Row, sandbox: Sandbox, folder: Path) -> Result:
    """Grade all steps of a row in a worker."""
    if isinstance(row.of, Slip):
        return slip_graded(row.of, row.of.forms[0], folder, sandbox)
    exam = exam_of(row.assignment)
    pieces = ((f"{row.assignment}.py", text_of(row.assignment, row.of)),)
    return grade(exam, Submission("student", pieces, "0" * 64), sandbox)
