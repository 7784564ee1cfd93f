"""`autograder show`: the inputs, the observed and the expected answers of one student's step, for an appeal."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.commands import Exit
from autograder.commands.console import say
from autograder.errors import Rejected, UsageError
from autograder.grading.appeal import judge_again
from autograder.grading.open_run import Setting, reopen_run
from autograder.grading.run_seed import earlier_run
from autograder.reports.appeal_text import WARNING, appeal_text, given_by_hand
from autograder.reports.class_record import CLASS_FILE, load_class, relative
from autograder.reports.gradescope_json import RESULTS_FILE, load_results
from autograder.results import Status
from autograder.sandbox.layers.prctl import set_undumpable
from autograder.sandbox.limits import Limits
from autograder.submission.directory import Called
from autograder.submission.find import find_hand_ins
from autograder.submission.hand_in import absolute
from autograder.submission.read import read_submission
from autograder.text import nearest, one_line

if TYPE_CHECKING:
    from autograder.assignment.source import Assignment
    from autograder.commands.options import ShowOptions
    from autograder.grading.run_seed import Run
    from autograder.reports.class_record import ClassRecord, Member
    from autograder.results import CheckResult, Result
    from autograder.submission.read import Submission


def run(options: ShowOptions) -> int:
    """Judge the step again and print everything; return the exit code.

    Raises UsageError if the folder, the submission or the kit is not that of the mark.
    """
    run = earlier_run(options.folder)
    record = _record(options.folder)
    member = _member(record, options.student)
    result = _result(options.folder, member, run)
    kept = _kept(result, options.step)
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory(prefix="autograder-")))
        set_undumpable()
        opened = stack.enter_context(reopen_run(_setting(options, member, result, scratch)))
        assignment = opened.exam.assignment
        check = next((check for check in assignment.checks if check.name == kept.step), None)
        if check is None:
            text = _by_hand(kept)
        else:
            submission = _submission(options.folder, member, assignment, scratch)
            judged = judge_again(opened.exam, submission, opened.sandbox, check.name)
            text = appeal_text(check, judged, kept, full=options.every)
    where = one_line(absolute(options.folder / member.path), 500)
    say(f"{WARNING}\n\n{one_line(member.student)}, {assignment.name}: {where}\n{text}")
    return Exit.DONE


def _record(folder: Path) -> ClassRecord:
    record = load_class(folder)
    if record is None:
        raise UsageError(
            f"{folder} has no {CLASS_FILE}, which says where the submissions are. "
            "Run `autograder grade` again: it keeps the results."
        )
    return record


def _member(record: ClassRecord, student: str) -> Member:
    """Return the student with this name, id or e-mail address. Raises UsageError if there is not exactly one."""
    found = Called((member.student, member.person) for member in record.members).find(student)
    if len(found) > 1:
        names = ", ".join(map(one_line, found))
        raise UsageError(f"{student!r} may be each of {names}. Give one of these names.")
    if not found:
        raise UsageError(f"There is no student {student!r}. {nearest(student, record.by_student)}")
    return record.by_student[found[0]]


def _result(folder: Path, member: Member, run: Run) -> Result:
    """Return the student's result. Raises UsageError if it cannot be derived again."""
    path = folder / member.student / RESULTS_FILE
    result = load_results(path)
    if result is None:
        raise UsageError(f"{path} is missing or damaged. Run `autograder grade` again.")
    if result.status is not Status.GRADED:
        raise UsageError(
            f"{one_line(member.student)} is {result.status}, so no step was judged: {one_line(result.output, 500)}"
        )
    if result.public:
        raise UsageError(
            f"{folder} holds public checks (--public). `pytest` in the released folder shows all of them."
        )
    if result.run != run.id:
        raise UsageError(
            f"{path} is of another run than {folder}. Run `autograder grade` again for this student."
        )
    if run.earlier_version != __version__:
        raise UsageError(
            f"Version {run.earlier_version} of the kit made the results in {folder}; this is {__version__}. "
            "Install that version, or run `autograder grade` again."
        )
    return result


def _kept(result: Result, step: str) -> CheckResult:
    by_step = {check.step: check for check in result.checks}
    if step not in by_step:
        raise UsageError(f"There is no step {step!r}. {nearest(step, by_step)}")
    return by_step[step]


def _setting(options: ShowOptions, member: Member, result: Result, scratch: Path) -> Setting:
    limits = member.limits
    return Setting(
        assignment=result.assignment,
        place=options.solutions,
        home=options.folder,
        limits=Limits(cpu=limits.timeout, memory=limits.memory) if limits else Limits(),
        private=(scratch, options.solutions, options.folder / member.given),
        allow_degraded=options.allow_degraded,
        round=result.round,
    )


def _submission(folder: Path, member: Member, assignment: Assignment, scratch: Path) -> Submission:
    """Find and read the submission again. Raises UsageError if it is not the one that was graded."""
    given = folder / member.given
    found = find_hand_ins([given], assignment.name, scratch) if given.exists() else []
    same = [submission for submission in found if relative(submission.where, folder) == member.path]
    if not same:
        raise UsageError(
            f"The submission of {one_line(member.student)} is gone: {folder / member.path}. Put it there again."
        )
    try:
        submission = read_submission(same[0], assignment)
    except Rejected as rejected:
        raise UsageError(f"The submission has changed since it was graded: {rejected}") from None
    if submission.sha256 != member.submission_sha256:
        raise UsageError(
            f"{folder / member.path} has changed since it was graded. Put the graded file there again, or run "
            f"`autograder grade --regrade {one_line(member.student)}`."
        )
    return submission


def _by_hand(kept: CheckResult) -> str:
    """Show a question that a person marks: the kit has nothing else about it."""
    if kept.override is None:
        return f"{kept.step}, of {kept.max_score:g}: nobody has marked it yet."
    return f"{kept.step}, of {kept.max_score:g}: overrides.csv gives {given_by_hand(kept.override)}"
