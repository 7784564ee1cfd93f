"""`autograder grade`: grade submissions into a folder of results."""

from __future__ import annotations

import os
import shlex
import signal
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from autograder.commands import Exit
from autograder.commands.class_notes import tell_beginning, tell_end, tell_places, tell_who
from autograder.commands.console import open_console, say
from autograder.commands.export import needs_extra, write_format
from autograder.commands.progress import ClassProgress
from autograder.commands.report import write_pages_of
from autograder.errors import UsageError
from autograder.grading.batch import ClassGrading
from autograder.grading.engines import Engine, local_engine
from autograder.grading.explaining import bug_words, place_of
from autograder.grading.grade import changed_release
from autograder.grading.lateness import LatePolicy
from autograder.grading.open_run import (
    RunOutline,
    Setting,
    find_assignment,
    only_run,
    refuse_links,
)
from autograder.reports.class_folder import ClassFolder, reserved_names
from autograder.reports.class_record import ClassRecord, GradedUnder, find_member, load_class
from autograder.reports.gradescope_json import dump_results
from autograder.results import Status
from autograder.sandbox.layers.prctl import set_undumpable
from autograder.sandbox.limits import DEFAULT_MEMORY, Limits
from autograder.submission.find import find_hand_ins
from autograder.submission.naming import identify
from autograder.submission.neighbours import declared_steps, points_beside
from autograder.submission.roster import read_groups, read_roster
from autograder.wheel import INSTALL_CLUSTER, INSTALL_INSTRUCTOR

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from autograder.assignment.source import Assignment
    from autograder.commands.options import GradeOptions
    from autograder.grading.task import Graded
    from autograder.nbgrader.gradebook import GradebookWriter
    from autograder.results import Result
    from autograder.submission.hand_in import HandIn
    from autograder.submission.naming import Identified


_ENDS = ("SIGTERM", "SIGHUP")


def run(options: GradeOptions) -> int:
    """Grade the submissions; return the exit code. Raises UsageError before any grading."""
    if options.public:  # before anything is read there
        refuse_links(options.out)
    record = load_class(options.out)
    if record and record.assignment != options.assignment:
        record = None
    _refuse_contradictions(options, record)
    with ExitStack() as stack:
        # Like an interrupt, so that the workers stop too.
        stack.enter_context(_signals(signal.default_int_handler, *_ENDS))
        scratch = Path(stack.enter_context(TemporaryDirectory(prefix="autograder-")))
        setting = replace(_setting(options, scratch), round=_round(options, record))
        steps = declared_steps(find_assignment(setting))
        stack.enter_context(only_run(options.out))
        found, who = _find(options, scratch, steps)
        set_undumpable()
        engine = stack.enter_context(_engine(options, len(found)))
        there, opened = engine.open(setting)
        if opened.exam.changed and options.release_digest:
            raise UsageError(changed_release(opened.exam))
        if opened.exam.changed:
            say(changed_release(opened.exam))
        folder = _open_folder(opened, setting)
        release = options.assignments / setting.assignment / f"{setting.assignment}.ipynb"
        gradebook = _open_gradebook(options.gradebook, opened.exam.assignment, release, found)
        marks = stack.enter_context(gradebook)
        rules = LatePolicy(options.deadline, options.late_penalty, options.late_most, options.grace)
        folder.begin(found.values(), who.absent, rules, fresh=options.fresh)
        folder.grade_again(_to_regrade(options.regrade, folder, found))
        tell_beginning(folder, opened.run, options.out)
        folder.start()
        known_of = folder.earlier, folder.round_of, folder.has_source
        grading = ClassGrading(engine, there, opened, *known_of, dump_results)
        return _grade_all(grading, folder, found, marks, options)


def _refuse_contradictions(options: GradeOptions, record: ClassRecord | None) -> None:
    """Raise UsageError if options exclude each other, or if results would be taken for submissions or leave DIR."""
    if options.public and options.gradebook:
        raise UsageError("--public goes without --gradebook: a mark never rests on public checks.")
    if options.late_penalty and not options.deadline and not (record and record.lateness):
        raise UsageError(
            "--late-penalty needs --deadline TIME: a platform's mark `late` alone tells no days."
        )
    if (options.engine == "dask") != bool(options.scheduler):
        raise UsageError("--engine dask and --scheduler ADDRESS go together.")
    if record and not record.run:
        raise UsageError(
            f"{options.out} was merged by `autograder report`. Grade into the folder of a try, then merge again."
        )
    if options.release_digest and not options.public:
        raise UsageError("--release-digest goes with --public only.")
    # Not Path.resolve: it raises an exception at a link to itself.
    out, *others = (Path(os.path.realpath(path)) for path in (options.out, *options.paths))
    around = [path for path in others if out.is_relative_to(path)]
    if around:
        outermost = min(around, key=lambda path: len(path.parts))
        raise UsageError(
            f"The results in {options.out} would be taken for submissions, since {outermost} is graded. "
            f"Choose a folder outside, such as --out {shlex.quote(f'{outermost}-results')}"
        )


def _setting(options: GradeOptions, scratch: Path) -> Setting:
    return Setting(
        assignment=options.assignment,
        place=options.assignments if options.public else options.solutions,
        home=options.out,
        limits=Limits(cpu=options.timeout, memory=options.memory or DEFAULT_MEMORY),
        private=(*options.paths, scratch, *(() if options.public else (options.solutions,))),
        allow_degraded=options.allow_degraded,
        public=options.public,
        seed=options.seed,
        fresh=options.fresh,
        release_digest=options.release_digest or "",
    )


def _round(options: GradeOptions, record: ClassRecord | None) -> int:
    """Return the round of this run: another one if the last run in the folder has ended."""
    if record is None or options.fresh or options.public:
        return 0
    return record.round + record.ended


def _find(
    options: GradeOptions, scratch: Path, steps: Collection[str]
) -> tuple[dict[str, HandIn], Identified]:
    """Find the submissions; return them by their unique names, and who else there is."""
    roster = read_roster(options.roster) if options.roster else None
    unknown: tuple[str, ...] = ()
    if options.groups:
        roster, unknown = read_groups(options.groups, roster)
    found = find_hand_ins(
        options.paths, options.assignment, scratch, steps=steps, is_one=options.is_one
    )
    if not found:
        raise UsageError(f"There is no submission in {', '.join(map(str, options.paths))}.")
    reserved, utf8 = reserved_names(options.out), options.gradebook is not None
    who = identify(found, roster, reserved=reserved, utf8=utf8)
    kind = "the roster" if options.roster else "the list of groups" if options.groups else ""
    tell_who(who, unknown, kind)
    hand_ins = {submission.student: submission for submission in who.hand_ins}
    return dict(sorted(hand_ins.items())), who


def _engine(options: GradeOptions, submissions: int) -> Engine:
    """Return the engine that grades the submissions."""
    if options.engine == "local":
        return local_engine(options.jobs, submissions)
    with needs_extra("--engine dask", INSTALL_CLUSTER):
        from autograder.grading.cluster import DaskEngine  # noqa: PLC0415
    return DaskEngine(options.scheduler)


def _open_folder(opened: RunOutline, setting: Setting) -> ClassFolder:
    """Open the folder of results."""
    run, assignment = opened.run, opened.exam.assignment
    record = ClassRecord(
        run.assignment,
        run.id,
        limits=GradedUnder(setting.limits.cpu, setting.limits.memory),
        questions=opened.questions,
        beside=points_beside(assignment.folder),
        round=setting.round,
    )
    return ClassFolder(setting.home, run, record, assignment.points)


def _to_regrade(
    names: Collection[str], folder: ClassFolder, found: Collection[str]
) -> Iterator[str]:
    """Yield the students with these names. Raises UsageError if the submission of one was not given."""
    for student in (find_member(folder.members, name).student for name in names):
        if student not in found:
            raise UsageError(
                f"--regrade: the submission of {student!r} is not in the paths that were given. Add it."
            )
        yield student


def _open_gradebook(
    url: str | None, assignment: Assignment, release: Path, found: Mapping[str, HandIn]
) -> AbstractContextManager[GradebookWriter | None]:
    """Open nbgrader's gradebook if `--gradebook` is given. Only this option needs nbgrader."""
    if url is None:
        return nullcontext()
    with needs_extra("--gradebook", INSTALL_INSTRUCTOR):
        from autograder.nbgrader import gradebook  # noqa: PLC0415
    return gradebook.GradebookWriter(url, assignment, release, found)


def _grade_all(
    grading: ClassGrading,
    folder: ClassFolder,
    found: Mapping[str, HandIn],
    marks: GradebookWriter | None,
    options: GradeOptions,
) -> int:
    """Grade and write each submission, and write and show the class at the end; return the exit code."""
    done: set[str] = set()
    ended = False
    progress = ClassProgress(len(found), quiet=options.quiet)
    try:
        with closing(grading.results(folder.to_grade(found))) as graded:
            for one in chain.from_iterable(map(folder.for_each_member, _reported(graded))):
                folder.write(one)
                done.add(one.result.student)
                progress.advance(one.result, kept=one.result.student in folder.kept)
        ended = True
    except KeyboardInterrupt:
        say(f"Stopped after {len(done)} of {len(found)}. The same command goes on from here.")
    finally:
        with _signals(signal.SIG_IGN, "SIGINT", *_ENDS):  # the last writes are short
            whole = folder.finish(ended=ended)
    results = [result for result in whole.results if result.student in done]
    console, quiet = open_console(), options.quiet
    tell_end(console, results, progress.summary, folder, whole, quiet=quiet)
    if not options.no_pages:
        write_pages_of(whole, quiet=quiet)
    if not quiet:
        tell_places(results, options.out)
    if marks is not None:
        nobody = [name for name in done if found[name].nameless]
        _write_gradebook(marks, results, nobody)
    if options.format:
        write_format(options.format, whole)
    return exit_code(results, options.fail_under) if ended else Exit.INTERRUPTED


def _write_gradebook(
    marks: GradebookWriter, results: Sequence[Result], nobody: Sequence[str]
) -> None:
    """Write the marks of all but those who have no name of their own."""
    for result in results:
        if result.student not in nobody:
            marks.write(result)
    blank = [*marks.blank, *sorted(nobody)]
    left = f"; left blank: {', '.join(blank)}" if blank else ""
    say(f"Gradebook: {len(results) - len(blank)} written{left}")


def exit_code(results: Collection[Result], fail_under: float | None) -> int:
    """Return the exit code of a run: an ungraded submission has priority over a score that is too low."""
    if any(result.status is Status.UNGRADED for result in results):
        return Exit.NOT_ALL
    handed_in = [one for one in results if not (one.public and one.is_untouched)]
    if fail_under is not None and any(result.score < fail_under for result in handed_in):
        return Exit.TOO_FEW_POINTS
    return Exit.DONE


def _reported(graded: Iterable[Graded]) -> Iterator[Graded]:
    """Print why the grader failed, and each failure to explain once for each place in the kit."""
    told: set[str] = set()
    for one in graded:
        if one.fault:
            say(f"The grader failed on {one.result.student}:\n{one.fault}", error=True)
        for bug in one.bugs:
            if (place := place_of(bug)) not in told:
                told.add(place)
                say(bug_words(one.result.student, bug), error=True)
        yield one


@contextmanager
def _signals(handler: Callable[..., object] | signal.Handlers, *names: str) -> Iterator[None]:
    """Handle signals in another way, but for those that are ignored."""
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    before = {number: old for number, old in before.items() if old not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
