"""`autograder show`: the inputs, the observed and the expected answers of one student's step, for an appeal."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.commands import Exit
from autograder.commands.console import named_step, say
from autograder.errors import Rejected, UsageError
from autograder.grading.grade import begin, load
from autograder.grading.grader import Grader
from autograder.grading.open_run import Setting, reopen_run
from autograder.grading.run_seed import earlier_run
from autograder.reports.appeal_text import WARNING, appeal_text, given_by_hand
from autograder.reports.class_record import CLASS_FILE, find_member, load_class, relative
from autograder.reports.gradescope_json import RESULTS_FILE, load_results
from autograder.results import Status
from autograder.sandbox.layers.prctl import set_undumpable
from autograder.sandbox.limits import Limits
from autograder.submission.find import find_hand_ins
from autograder.submission.hand_in import absolute
from autograder.submission.read import read_submission
from autograder.text import one_line

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
    member = find_member(record.members, options.student)
    result = _result(options.folder, member, run)
    kept = named_step(options.step, {check.step: check for check in result.checks})
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory(prefix="autograder-")))
        set_undumpable()
        opened = stack.enter_context(reopen_run(_setting(options, record, member, result, scratch)))
        assignment = opened.exam.assignment
        check = next((check for check in assignment.checks if check.name == kept.step), None)
        if check is None:
            text = _by_hand(kept)
        else:
            submission = _submission(options.folder, member, assignment, scratch)
            session = stack.enter_context(begin(opened.exam, submission, opened.sandbox))
            load(session)
            grader = Grader(opened.exam, session)
            for each in assignment.checks:
                grader.ask(each)
            text = appeal_text(grader, check, kept, full=options.every)
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


def _result(folder: Path, member: Member, run: Run) -> Result:
    """Return the student's result. Raises UsageError if it cannot be derived again."""
    path = folder / member.student / RESULTS_FILE
    result = load_results(path)
    if result is None:
        raise UsageError(f"{path} is missing or damaged. Run `autograder grade` again.")
    why = ""
    if result.status is not Status.GRADED:
        why = f"{one_line(member.student)} is {result.status}, so no step was judged: {one_line(result.output, 500)}"
    elif result.public:
        why = f"{folder} holds public checks (--public). `pytest` in the released folder shows all of them."
    elif (result.run, run.earlier_version) != (run.id, __version__):
        why = (
            f"{path} is of another run, or of another version of the kit ({run.earlier_version}; this is "
            f"{__version__}). Run `autograder grade` again."
        )
    if why:
        raise UsageError(why)
    return result


def _setting(
    options: ShowOptions, record: ClassRecord, member: Member, result: Result, scratch: Path
) -> Setting:
    limits = record.limits
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
    given, steps = folder / member.given, [check.name for check in assignment.checks]
    is_one = member.path == member.given
    found = (
        find_hand_ins([given], assignment.name, scratch, steps=steps, is_one=is_one)
        if given.exists()
        else []
    )
    same = [submission for submission in found if relative(submission.where, folder) == member.path]
    if not same:
        raise UsageError(
            f"The submission of {one_line(member.student)} is gone: {folder / member.path}. Put it there again."
        )
    try:
        submission = read_submission(same[0], assignment)
    except Rejected:
        submission = None
    if submission is None or submission.sha256 != member.submission_sha256:
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
