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
from typing import TYPE_CHECKING, Protocol

from autograder.commands import Exit
from autograder.commands.class_notes import tell_beginning, tell_end, tell_who
from autograder.commands.console import open_console, say
from autograder.commands.export import chosen_format, needs_nbgrader, write_format
from autograder.commands.progress import ClassProgress
from autograder.commands.regrade import students_to_regrade
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
from autograder.grading.overrides import read_overrides
from autograder.reports.class_folder import ClassFolder, reserved_names
from autograder.reports.class_record import GradedUnder, load_class
from autograder.reports.gradescope_json import dump_results
from autograder.results import Status
from autograder.sandbox.layers.prctl import set_undumpable
from autograder.sandbox.limits import DEFAULT_MEMORY, Limits
from autograder.submission.find import find_hand_ins
from autograder.submission.naming import identify
from autograder.submission.roster import read_groups, read_roster
from autograder.wheel import INSTALL_CLUSTER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from autograder.assignment.source import Assignment
    from autograder.commands.options import GradeOptions
    from autograder.exam.questions import Exam
    from autograder.grading.task import Graded
    from autograder.results import Result
    from autograder.submission.hand_in import HandIn
    from autograder.submission.naming import Identified


class _Marks(Protocol):
    """A second target for marks, such as a gradebook. `blank` lists the students without a mark."""

    blank: list[str]

    def write(self, result: Result) -> None: ...


def run(options: GradeOptions) -> int:
    """Grade the submissions; return the exit code. Raises UsageError before any grading."""
    _refuse_incomplete(options)
    _refuse_contradictions(options)
    with ExitStack() as stack:
        stack.enter_context(_stopped_like_an_interrupt())
        scratch = Path(stack.enter_context(TemporaryDirectory(prefix="autograder-")))
        setting = replace(_setting(options, scratch), round=_round(options))
        find_assignment(setting)
        stack.enter_context(only_run(options.out))
        found, who = _find(options, scratch)
        set_undumpable()
        engine = stack.enter_context(_engine(options, len(found)))
        there, opened = engine.open(setting)
        _refuse_in_vain(opened.exam, options)
        if opened.exam.changed:
            say(changed_release(opened.exam))
        folder = _open_folder(opened, setting)
        release = options.assignments / setting.assignment / f"{setting.assignment}.ipynb"
        gradebook = _open_gradebook(options.gradebook, opened.exam.assignment, release, found)
        marks = stack.enter_context(gradebook)
        roster = str(options.roster.absolute()) if options.roster else None
        rules = _lateness(options)
        beginning = folder.begin(who, found.values(), roster, rules, forget=options.forget)
        known = folder.members(), beginning.bearers
        again = students_to_regrade(options.regrade, *known, found, opened.exam.mistakes)
        folder.grade_again(again)
        tell_beginning(beginning, opened.run, options.out)
        known_of = folder.earlier, folder.round_of, folder.has_source
        grading = ClassGrading(engine, there, opened, *known_of, dump_results)
        return _grade_all(grading, folder, found, marks, options)


def _refuse_incomplete(options: GradeOptions) -> None:
    """Raise UsageError, which names everything that the command still needs."""
    missing = {
        "PATH...": "what was handed in: files, folders, or folders of them" * (not options.paths),
        "--assignment NAME": "which assignment they hand in" * (not options.assignment),
        "--out DIR": "where results go" * (not options.out),
    }
    if options.public or options.gradebook:
        missing["--assignments DIR"] = _no_folder(options.assignments, "the released folders")
    if not options.public:
        missing["--solutions DIR"] = _no_folder(options.solutions, "the assignments' sources")
    lines = [f"  {name}: {words}" for name, words in missing.items() if words]
    if lines:
        more = "`autograder grade --help` explains all options."
        raise UsageError("\n".join(["grade needs more:", *lines, more]))


def _no_folder(path: Path, content: str) -> str:
    """Return the place where a folder is missing, in words; empty if it exists."""
    if path.is_dir():
        return ""
    return f"where {content} are; there is no folder {path.absolute()}"


def _refuse_contradictions(options: GradeOptions) -> None:
    """Raise UsageError if options exclude each other, or if results would be taken for submissions or leave DIR."""
    if options.public and options.gradebook:
        raise UsageError("--public goes without --gradebook: a mark never rests on public checks.")
    chosen_format(options.format)
    if options.public:
        refuse_links(options.out)
    if options.late_penalty and not options.deadline:
        record = load_class(options.out)
        if not (record and record.lateness):
            raise UsageError(
                "--late-penalty needs --deadline TIME: a platform's mark `late` alone tells no days."
            )
    if (options.engine == "dask") != bool(options.scheduler):
        raise UsageError("--engine dask and --scheduler ADDRESS go together.")
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


def _refuse_in_vain(exam: Exam, options: GradeOptions) -> None:
    """Raise UsageError if the release is not the one of `--release-digest`, or if nobody can reach `--fail-under`."""
    if exam.changed and options.release_digest:
        raise UsageError(changed_release(exam))
    most = exam.assignment.max_score
    if options.fail_under is not None and options.fail_under > most:
        raise UsageError(
            f"--fail-under {options.fail_under:g}: the assignment has only {most:g} points. Nothing was graded."
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
        release_digest=(options.release_digest or "").lower(),
    )


def _round(options: GradeOptions) -> int:
    """Return the round of this run: another one if the last run in the folder has ended."""
    record = None if options.fresh or options.public else load_class(options.out)
    if record is None or record.assignment != options.assignment:
        return 0
    return record.round + (record.complete and record.ended)


def _find(options: GradeOptions, scratch: Path) -> tuple[dict[str, HandIn], Identified]:
    """Find the submissions; return them by their unique names, and who else there is."""
    roster = read_roster(options.roster) if options.roster else None
    unknown: tuple[str, ...] = ()
    if options.groups:
        roster, unknown = read_groups(options.groups, roster)
    found = find_hand_ins(options.paths, options.assignment, scratch)
    if not found:
        raise UsageError(f"There is no submission in {', '.join(map(str, options.paths))}.")
    record = load_class(options.out)
    members = record.members if record and record.assignment == options.assignment else ()
    earlier = {member.student: member.person for member in members}
    reserved, utf8 = reserved_names(options.out), options.gradebook is not None
    who = identify(found, roster, earlier, reserved=reserved, utf8=utf8)
    kind = "the roster" if options.roster else "the list of groups" if options.groups else ""
    tell_who(who, unknown, kind)
    hand_ins = {submission.student: submission for submission in who.hand_ins}
    return dict(sorted(hand_ins.items())), who


def _lateness(options: GradeOptions) -> LatePolicy:
    return LatePolicy(options.deadline, options.late_penalty, options.late_most, options.grace)


def _engine(options: GradeOptions, submissions: int) -> Engine:
    """Return the engine that grades the submissions."""
    if options.engine == "local":
        return local_engine(options.jobs, submissions)
    try:
        from autograder.grading.cluster import DaskEngine  # noqa: PLC0415 - the extra `cluster`
    except ModuleNotFoundError as error:
        raise UsageError(
            f"--engine dask needs the module {error.name!r}. In the kit's folder: {INSTALL_CLUSTER}"
        ) from None
    return DaskEngine(options.scheduler)


def _open_folder(opened: RunOutline, setting: Setting) -> ClassFolder:
    """Open the folder of results. Raises UsageError if `overrides.csv` is invalid."""
    steps = {check.name: check.points for check in opened.exam.assignment.checks}
    return ClassFolder(
        setting.home,
        opened.run,
        tuple(steps),
        GradedUnder(setting.limits.cpu, setting.limits.memory),
        read_overrides(setting.home, steps, opened.questions),
        setting.round,
    )


def _open_gradebook(
    url: str | None, assignment: Assignment, release: Path, found: Mapping[str, HandIn]
) -> AbstractContextManager[_Marks | None]:
    """Open nbgrader's gradebook if `--gradebook` is given. Only this option needs nbgrader."""
    if url is None:
        return nullcontext()
    with needs_nbgrader():
        from autograder.nbgrader.gradebook import GradebookWriter  # noqa: PLC0415
    return GradebookWriter(url, assignment, release, found)


def _grade_all(
    grading: ClassGrading,
    folder: ClassFolder,
    found: Mapping[str, HandIn],
    marks: _Marks | None,
    options: GradeOptions,
) -> int:
    """Grade, write and show each submission, and the class at the end; return the exit code."""
    console = open_console()
    nobody = [name for name, one in found.items() if one.nameless] if marks is not None else []
    results: dict[str, Result] = {}
    ended = False
    with ClassProgress(console, len(found), quiet=options.quiet) as progress:
        try:
            with closing(grading.results(folder.to_grade(found))) as graded:
                for one in chain.from_iterable(map(folder.for_each_member, _reported(graded))):
                    result = folder.write(one)
                    if marks is not None and result.student not in nobody:
                        marks.write(result)
                    results[result.student] = result
                    progress.advance(result, kept=result.student in folder.kept)
            ended = True
        except KeyboardInterrupt:
            say(
                f"Stopped after {len(results)} of {len(found)}. The same command goes on from here."
            )
            return Exit.INTERRUPTED
        finally:
            with _without_interrupts():
                folder.finish(ended=ended)
    counts, pages = progress.summary, not options.no_pages
    by_name = [results[name] for name in sorted(results)]
    tell_end(console, by_name, options.out, counts, folder, quiet=options.quiet, pages=pages)
    if marks is not None:
        _tell_gradebook(len(results), [*marks.blank, *nobody])
    if chosen := chosen_format(options.format):
        write_format(chosen, options.out, by_name, folder.members())
    return exit_code(by_name, options.fail_under)


def _tell_gradebook(results: int, blank: list[str]) -> None:
    left = f"; left blank: {', '.join(blank)}" if blank else ""
    say(f"Gradebook: {results - len(blank)} written{left}")


def exit_code(results: Collection[Result], fail_under: float | None) -> int:
    """Return the exit code of a run: an ungraded submission has priority over a score that is too low."""
    if any(result.status is Status.UNGRADED for result in results):
        return Exit.NOT_ALL
    if fail_under is not None and any(result.score < fail_under for result in results):
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
def _stopped_like_an_interrupt() -> Iterator[None]:
    """Handle SIGTERM and SIGHUP like an interrupt, so that the workers stop too."""
    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    changed = [number for number in signals if signal.getsignal(number) is signal.SIG_DFL]
    for number in changed:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ignore signals that would interrupt the last writes, which are short."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    signals = [getattr(signal, name) for name in names if hasattr(signal, name)]
    handlers = {number: signal.signal(number, signal.SIG_IGN) for number in signals}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
