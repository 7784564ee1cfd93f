"""`autograder grade`: grade submissions into a folder of results."""

from __future__ import annotations

import signal
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Protocol

from autograder.commands.class_notes import tell_beginning, tell_by_name
from autograder.commands.console import open_console, say
from autograder.commands.needed import refuse_results_among_submissions
from autograder.commands.progress import ClassProgress
from autograder.commands.regrade import students_to_regrade
from autograder.commands.summary import print_summary
from autograder.commands.verdict import (
    chosen_format,
    exit_code,
    refuse_too_many_points,
    write_format,
)
from autograder.errors import UsageError
from autograder.grading.batch import Batch, Engine, local_engine
from autograder.grading.explaining import bug_words
from autograder.grading.grade import changed_release
from autograder.grading.only_run import only_run
from autograder.grading.open_run import RunOutline, Setting, find_assignment
from autograder.grading.overrides import read_overrides
from autograder.grading.run_seed import settled_seed
from autograder.reports.class_folder import ClassFolder
from autograder.reports.class_record import GradedUnder
from autograder.reports.gradescope_json import dump_results
from autograder.reports.results_folder import reserved_names
from autograder.sandbox.layers.prctl import set_undumpable
from autograder.sandbox.limits import DEFAULT_MEMORY, Limits
from autograder.spool import Spool
from autograder.submission.find import FoundSubmission, find_submissions
from autograder.submission.roster import Roster, join_roster, read_roster
from autograder.submission.unique_names import tell_apart
from autograder.wheel import INSTALL_INSTRUCTOR

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager

    from autograder.exam.questions import Exam
    from autograder.results import Result
    from autograder.submission.person import Person

EXIT_INTERRUPTED = 130


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    paths: tuple[Path, ...]
    assignment: str
    out: Path
    jobs: int | None
    seed: int | None
    fresh: bool
    timeout: float
    memory: int | None
    public: bool
    allow_degraded: bool
    solutions: Path
    assignments: Path
    gradebook: str | None = None
    format: str | None = None
    fail_under: float | None = None
    quiet: bool = False
    no_pages: bool = False
    release_digest: str | None = None
    roster: Path | None = None
    regrade: tuple[str, ...] = ()
    engine: str = "local"
    scheduler: str = ""


class _Marks(Protocol):
    """A second target for marks, such as a gradebook. `blank` lists the students without a mark."""

    blank: list[str]

    def write(self, result: Result) -> None: ...


def run_grade(options: Options) -> int:
    """Grade the submissions; return the exit code. Raises UsageError before any grading."""
    if options.public and options.gradebook:
        raise UsageError("--public goes without --gradebook: a mark never rests on public checks.")
    chosen_format(options.format)
    if (options.engine == "dask") != bool(options.scheduler):
        raise UsageError("--engine dask and --scheduler ADDRESS go together.")
    if options.release_digest and not options.public:
        raise UsageError("--release-digest goes with --public only.")
    refuse_results_among_submissions(options.out, options.paths)
    with ExitStack() as stack:
        stack.enter_context(_stopped_like_an_interrupt())
        scratch = Path(stack.enter_context(TemporaryDirectory(prefix="autograder-")))
        setting = _setting(options, scratch)
        find_assignment(setting)
        roster = read_roster(options.roster) if options.roster else None
        found, absent = _find(options, scratch, roster)
        set_undumpable()
        stack.enter_context(only_run(options.out))
        engine = _engine(options, setting, len(found))
        stack.enter_context(engine.executor)
        opened = engine.open()
        if opened.exam.changed and options.release_digest:
            raise UsageError(changed_release(opened.exam))
        opened.run.write(setting.home)
        refuse_too_many_points(options.fail_under, opened.exam)
        if opened.exam.changed:
            say(changed_release(opened.exam))
        folder = _open_folder(opened, options)
        marks = stack.enter_context(_open_gradebook(options, opened.exam, found))
        roster_path = str(options.roster.absolute()) if options.roster else None
        beginning = folder.begin(found.values(), roster=roster_path, absent=absent)
        folder.grade_again(
            students_to_regrade(options.regrade, folder, found, opened.exam.mistakes)
        )
        tell_beginning(beginning, opened.run, options.out)
        batch = Batch(engine, opened, folder.earlier, _report_fault, _report_bug, dump_results)
        return _grade_all(batch, options, folder, found, marks)


def _open_folder(opened: RunOutline, options: Options) -> ClassFolder:
    """Open the folder of results. Raises UsageError if `overrides.csv` is invalid."""
    assignment = opened.exam.assignment
    steps = {check.name: check.points for check in assignment.checks}
    return ClassFolder(
        options.out,
        opened.run.id,
        assignment.name,
        tuple(steps),
        GradedUnder(options.timeout, options.memory or DEFAULT_MEMORY),
        read_overrides(options.out, steps, opened.questions),
    )


def _setting(options: Options, scratch: Path) -> Setting:
    return Setting(
        assignment=options.assignment,
        place=options.assignments if options.public else options.solutions,
        home=options.out,
        limits=Limits(cpu=options.timeout, memory=options.memory or DEFAULT_MEMORY),
        private=(*options.paths, scratch, *(() if options.public else (options.solutions,))),
        allow_degraded=options.allow_degraded,
        switch="--allow-degraded",
        public=options.public,
        seed=options.seed,
        fresh=options.fresh,
        release_digest=(options.release_digest or "").lower(),
    )


def _engine(options: Options, setting: Setting, submissions: int) -> Engine:
    """Return the engine that grades the submissions; all its processes get the same seed."""
    home, fresh = setting.home, setting.fresh
    seed = settled_seed(home, setting.assignment, setting.seed, fresh=fresh)
    setting = replace(setting, seed=seed)
    if options.engine == "local":
        return local_engine(setting, options.jobs, submissions)
    from autograder.grading.cluster import DaskEngine, DaskExecutor  # noqa: PLC0415 - seldom used

    return DaskEngine(setting, DaskExecutor(options.scheduler))


def _open_gradebook(
    options: Options, exam: Exam, found: Mapping[str, FoundSubmission]
) -> AbstractContextManager[_Marks | None]:
    """Open nbgrader's gradebook if `--gradebook` is given. Only this option needs nbgrader."""
    if options.gradebook is None:
        return nullcontext()
    try:
        from autograder.nbgrader.gradebook import (  # noqa: PLC0415
            GradebookWriter,
            gradebook_students,
        )
    except ModuleNotFoundError as error:
        raise UsageError(
            f"--gradebook needs nbgrader, and there is no module {error.name!r}. "
            f"In the kit's folder: {INSTALL_INSTRUCTOR}"
        ) from None
    name = exam.assignment.name
    release = options.assignments / name / f"{name}.ipynb"
    return GradebookWriter(options.gradebook, exam.assignment, release, gradebook_students(found))


def _grade_all(
    batch: Batch,
    options: Options,
    folder: ClassFolder,
    found: Mapping[str, FoundSubmission],
    marks: _Marks | None,
) -> int:
    console = open_console()
    nobody = [student for student, submission in found.items() if submission.nameless]
    results: Spool[Result] = Spool()
    with ClassProgress(console, len(found), quiet=options.quiet) as progress:
        try:
            with closing(batch.results(found.values())) as graded:
                for one in graded:
                    result = folder.write(one)
                    if marks is not None and result.student not in nobody:
                        marks.write(result)
                    results[result.student] = result
                    progress.advance(result, kept=result.student in folder.kept)
        except KeyboardInterrupt:
            say(
                f"Stopped after {len(results)} of {len(found)}. The same command goes on from here."
            )
            return EXIT_INTERRUPTED
        finally:
            with _without_interrupts():
                folder.finish()
    by_name = results.values()
    counts, pages = progress.summary, not options.no_pages
    print_summary(
        console, by_name, options.out, counts, folder.absent, quiet=options.quiet, pages=pages
    )
    if marks is not None:
        _say_written(len(results), [*marks.blank, *nobody])
    if chosen := chosen_format(options.format):
        write_format(chosen, options.out, by_name, folder.members())
    return exit_code(by_name, options.fail_under)


def _say_written(results: int, blank: list[str]) -> None:
    left = f"; left blank: {', '.join(blank)}" if blank else ""
    say(f"Gradebook: {results - len(blank)} written{left}")


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


def _find(
    options: Options, scratch: Path, roster: Roster | None
) -> tuple[Spool[FoundSubmission], tuple[Person, ...]]:
    """Find the submissions; return them by their unique names.

    Also return the people on the roster who handed in nothing.
    """
    found = find_submissions(options.paths, options.assignment, scratch)
    if not found:
        raise UsageError(f"There is no submission in {', '.join(map(str, options.paths))}.")
    absent: tuple[Person, ...] = ()
    if roster is not None:
        found, absent = join_roster(found, roster)
    reserved = reserved_names(options.out)
    named = tell_apart(found, reserved=reserved, utf8=options.gradebook is not None)
    tell_by_name(named)
    return Spool((submission.student, submission) for submission in named), absent


def _report_fault(student: str, text: str) -> None:
    say(f"The grader failed on {student}:\n{text}", error=True)


def _report_bug(student: str, text: str) -> None:
    say(bug_words(student, text), error=True)
