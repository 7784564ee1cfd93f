"""`autograder show`: the inputs, the observed and the expected answers of one student's step, for an appeal.

A folder of `autograder grade`, nbgrader's folder and one `results.json` of a platform tell what was graded.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from autograder import __version__
from autograder.commands import Exit
from autograder.commands.console import named_step, say
from autograder.errors import Rejected, UsageError
from autograder.grading.grade import begin, load
from autograder.grading.grader import Grader
from autograder.grading.open_run import Setting, prepare_run, reopen_run
from autograder.grading.run_seed import earlier_run, find_run
from autograder.nbgrader.autograde import ROUNDS_FILE, Rounds
from autograder.reports.appeal_text import WARNING, appeal_text, given_by_hand
from autograder.reports.class_record import CLASS_FILE, find_member
from autograder.reports.graded_class import load_class_results
from autograder.reports.gradescope_json import RESULTS_FILE, load_results
from autograder.results import Status
from autograder.sandbox.layers.prctl import set_undumpable
from autograder.sandbox.limits import Limits
from autograder.submission.find import find_hand_ins
from autograder.submission.hand_in import absolute
from autograder.submission.read import read_submission
from autograder.text import nearest, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from autograder.assignment.source import Assignment
    from autograder.commands.options import ShowOptions
    from autograder.results import CheckResult, Result
    from autograder.submission.read import Submission


@dataclass(frozen=True)
class _Shown:
    """The submission of a student, and how it was graded.

    Attributes:
        setting: how it is judged again. Its `run` is the one with the seed; None for that of the folder.
        given, path: the PATH through which it is found, and where it is.
        sha256: the digest of what was graded.
        result: the stored result; None if there is none.
        note: what is different this time.
    """

    student: str
    setting: Setting
    given: Path
    path: Path
    sha256: str
    result: Result | None = None
    note: str = ""


def run(options: ShowOptions) -> int:
    """Judge the step again and print everything; return the exit code.

    Raises UsageError if the folder, the submission or the kit is not that of the mark.
    """
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory(prefix="autograder-")))
        set_undumpable()
        shown = _shown(options, scratch)
        stored = {check.step: check for check in shown.result.checks} if shown.result else {}
        kept = named_step(options.step, stored) if stored else None
        is_new = shown.setting.run is not None
        opened = stack.enter_context((prepare_run if is_new else reopen_run)(shown.setting))
        if shown.setting.seed is not None and shown.result and opened.run.id != shown.result.run:
            raise UsageError(
                f"{options.folder} is of another seed, or of another version of the assignment or of the kit "
                f"({shown.result.kit_version}; this is {__version__})."
            )
        assignment = opened.exam.assignment
        checks = assignment.by_step
        if kept is None or kept.step in checks:
            check = named_step(options.step, checks)
            submission = _submission(shown, assignment, scratch)
            session = stack.enter_context(begin(opened.exam, submission, opened.sandbox))
            load(session)
            grader = Grader(opened.exam, session)
            for each in assignment.checks:
                grader.ask(each)
            same = None if shown.note else kept
            text = appeal_text(grader, check, same, full=options.every)
        else:
            text = _by_hand(kept)
    where = one_line(str(shown.path), 500)
    say(f"{WARNING}\n\n{one_line(shown.student)}, {assignment.name}: {where}\n{shown.note}{text}")
    return Exit.DONE


def _shown(options: ShowOptions, scratch: Path) -> _Shown:
    """Return what is shown: from a folder of `grade` or of nbgrader, or one `results.json`."""
    setting = Setting(
        assignment="",
        place=options.solutions,
        home=options.folder,
        limits=Limits(),
        private=(scratch, options.solutions),
        allow_degraded=options.allow_degraded,
        seed=options.seed,
    )
    if options.folder.is_file():
        return _of_file(options, setting, scratch)
    rounds = [options.folder / ROUNDS_FILE, *options.folder.glob(f".autograder/*/{ROUNDS_FILE}")]
    if found := [path.parent for path in rounds if path.is_file()]:
        return _of_nbgrader(options, setting, found)
    return _of_class(options, setting)


def _of_class(options: ShowOptions, setting: Setting) -> _Shown:
    folder = options.folder
    run, graded = earlier_run(folder), load_class_results(folder)
    if not graded.record.run:
        raise UsageError(
            f"{folder} has no {CLASS_FILE} of a run, which says where the submissions are. Run `autograder grade` "
            "again: it keeps the results."
        )
    limits, member = graded.record.limits, find_member(graded.record.members, options.student)
    path = folder / member.student / RESULTS_FILE
    result = next((one for one in graded.results if one.student == member.student), None)
    if result is None:
        raise UsageError(f"{path} is missing or damaged. Run `autograder grade` again.")
    _refuse_ungraded(result, path)
    if (result.run, run.earlier_version) != (run.id, __version__):
        raise UsageError(
            f"{path} is of another run, or of another version of the kit ({run.earlier_version}; this is "
            f"{__version__}). Run `autograder grade` again."
        )
    setting = replace(
        setting,
        assignment=result.assignment,
        limits=Limits(cpu=limits.timeout, memory=limits.memory) if limits else Limits(),
        private=(*setting.private, folder / member.given),
        round=result.round,
    )
    given, where = (Path(absolute(folder / one)) for one in (member.given, member.path))
    return _Shown(member.student, setting, given, where, member.submission_sha256, result)


def _of_file(options: ShowOptions, setting: Setting, scratch: Path) -> _Shown:
    """Return what is shown of a platform's `results.json`: STUDENT is the submission."""
    result, path = load_results(options.folder), Path(absolute(Path(options.student)))
    if result is None:
        raise UsageError(f"{options.folder} is no complete result.")
    _refuse_ungraded(result, options.folder)
    run = find_run(scratch, result.assignment, seed=options.seed, fresh=True)
    note = ""
    if options.seed is None:
        note = "Judged on other questions than those of the mark; --seed N, if it is known, asks the same.\n"
    setting = replace(
        setting,
        assignment=result.assignment,
        home=scratch,
        private=(*setting.private, path),
        run=run,
        round=result.round,
    )
    return _Shown(result.student, setting, path, path, result.submission_sha256, result, note)


def _of_nbgrader(options: ShowOptions, setting: Setting, homes: Sequence[Path]) -> _Shown:
    if len(homes) > 1:
        listed = ", ".join(map(str, homes))
        raise UsageError(f"{options.folder} has several assignments. Give one of: {listed}.")
    home, student = homes[0].absolute(), options.student
    graded = Rounds.read(home).of_submissions
    if student not in graded:
        raise UsageError(f"There is no student {one_line(student)!r}. {nearest(student, graded)}")
    sha256, number = graded[student]
    path = home.parent.parent / "submitted" / student / home.name
    private = (*setting.private, path.parent)
    setting = replace(setting, assignment=home.name, home=home, private=private, round=number)
    return _Shown(student, setting, path, path, sha256)


def _refuse_ungraded(result: Result, path: Path) -> None:
    """Raise UsageError if no step was judged, or if there is nothing hidden to show."""
    who = one_line(result.student)
    if result.status is not Status.GRADED:
        words = one_line(result.output, 500)
        raise UsageError(f"{who} is {result.status}, so no step was judged: {words}")
    if result.public:
        raise UsageError(
            f"{path} holds public checks (--public). `pytest` in the released folder shows all of them."
        )


def _submission(shown: _Shown, assignment: Assignment, scratch: Path) -> Submission:
    """Find and read the submission again. Raises UsageError if it is not the one that was graded."""
    steps = assignment.by_step
    found, is_one = [], shown.given == shown.path
    if shown.given.exists():
        found = find_hand_ins([shown.given], assignment.name, scratch, steps=steps, is_one=is_one)
    same = [one for one in found if one.where == str(shown.path)]
    if not same:
        raise UsageError(
            f"The submission of {one_line(shown.student)} is gone: {shown.path}. Put it there again."
        )
    try:
        submission = read_submission(same[0], assignment)
    except Rejected:
        submission = None
    if submission is None or submission.sha256 != shown.sha256:
        raise UsageError(
            f"{shown.path} has changed since it was graded. Put the graded file there again, or grade it again."
        )
    return submission


def _by_hand(kept: CheckResult) -> str:
    """Show a question that a person marks: the kit has nothing else about it."""
    if kept.override is None:
        return f"{kept.step}, of {kept.max_score:g}: nobody has marked it yet."
    return f"{kept.step}, of {kept.max_score:g}: overrides.csv gives {given_by_hand(kept.override)}"
