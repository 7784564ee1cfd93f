"""`autograder grade`: grade submissions into a folder of results."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.errors import UsageError
from autograder.grading.batch import Batch
from autograder.grading.open_run import OpenRun, Setting, find_assignment, open_run
from autograder.reports.results_folder import Store, refuse_own_names
from autograder.reports.terminal_table import legend, marks_table
from autograder.results import Result, Status
from autograder.sandbox.layers.prctl import set_undumpable
from autograder.sandbox.limits import DEFAULT_MEMORY, Limits
from autograder.submission.find import Found, find_submissions

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from autograder.exam.questions import Exam

EXIT_GRADED = 0
EXIT_UNGRADED = 1
EXIT_INTERRUPTED = 130


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    paths: tuple[Path, ...]
    assignment: str
    out: Path
    jobs: int
    seed: int | None
    fresh: bool
    timeout: float
    memory: int | None
    public: bool
    allow_degraded: bool
    solutions: Path
    assignments: Path
    gradebook: str | None = None


class _Marks(Protocol):
    """A second target for marks, such as a gradebook. `blank` lists the students without a mark."""

    blank: list[str]

    def keep(self, result: Result) -> None: ...


def run_grade(options: Options) -> int:
    """Grade the submissions; return the exit code. Raises UsageError before any grading."""
    if options.public and options.gradebook:
        raise UsageError("--public goes without --gradebook: a mark never rests on public checks.")
    setting = _setting(options)
    find_assignment(setting)
    found = _find(options)
    set_undumpable()
    with open_run(setting) as opened, _open_gradebook(options, opened.exam) as marks:
        return _grade_all(opened, options, found, marks)


def _setting(options: Options) -> Setting:
    return Setting(
        assignment=options.assignment,
        place=options.assignments if options.public else options.solutions,
        home=options.out,
        limits=Limits(cpu=options.timeout, memory=options.memory or DEFAULT_MEMORY),
        private=(*options.paths, *(() if options.public else (options.solutions,))),
        allow_degraded=options.allow_degraded,
        switch="--allow-degraded",
        public=options.public,
        seed=options.seed,
        fresh=options.fresh,
    )


def _open_gradebook(options: Options, exam: Exam) -> AbstractContextManager[_Marks | None]:
    """Open nbgrader's gradebook if `--gradebook` is given. Only this option needs nbgrader."""
    if options.gradebook is None:
        return nullcontext()
    try:
        from autograder.nbgrader.gradebook import MarkBook  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise UsageError(
            f"--gradebook needs nbgrader, and there is no module {error.name!r}: "
            'pip install "self-attention-kit[instructor]"'
        ) from None
    name = exam.assignment.name
    release = options.assignments / name / f"{name}.ipynb"
    return MarkBook(options.gradebook, exam.assignment, release)


def _grade_all(opened: OpenRun, options: Options, found: list[Found], marks: _Marks | None) -> int:
    exam, run = opened.exam, opened.run
    store = Store(options.out, run.id)
    batch = Batch(
        exam,
        opened.sandbox,
        run.id,
        jobs=options.jobs,
        earlier=store.earlier,
        report=_report_fault,
    )
    # Show the bar on a real terminal only, even if FORCE_COLOR is set: a bar would spoil a log.
    console = Console(force_terminal=None if sys.stdout.isatty() else False)
    results: list[Result] = []
    try:
        with _stopped_like_an_interrupt(), closing(_with_progress(console, batch, found)) as graded:
            for result in graded:
                store.keep(result)
                if marks is not None:
                    marks.keep(result)
                results.append(result)
    except KeyboardInterrupt:
        print(f"Stopped after {len(results)} of {len(found)}. The same command goes on from here.")  # noqa: T201
        return EXIT_INTERRUPTED
    finally:
        store.keep_grades(results, [check.name for check in exam.assignment.checks])
    results.sort(key=lambda result: result.student)
    _summary(console, results, options.out)
    if marks is not None:
        blank = f"; left blank: {', '.join(marks.blank)}" if marks.blank else ""
        print(f"Gradebook: {len(results) - len(marks.blank)} written{blank}")  # noqa: T201
    ungraded = any(result.status is Status.UNGRADED for result in results)
    return EXIT_UNGRADED if ungraded else EXIT_GRADED


@contextmanager
def _stopped_like_an_interrupt() -> Iterator[None]:
    """Handle SIGTERM and SIGHUP like an interrupt, so that the workers stop too."""
    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    changed = [one for one in signals if signal.getsignal(one) is signal.SIG_DFL]
    for one in changed:
        signal.signal(one, signal.default_int_handler)
    try:
        yield
    finally:
        for one in changed:
            signal.signal(one, signal.SIG_DFL)


def _find(options: Options) -> list[Found]:
    """Find the submissions, except DIR itself. Raises UsageError if DIR cannot hold the results."""
    found = find_submissions(options.paths, options.assignment)
    if options.out.is_dir():
        found = [
            one for one in found if one.path.is_symlink() or not one.path.samefile(options.out)
        ]
    if not found:
        raise UsageError(f"There is no submission in {', '.join(map(str, options.paths))}.")
    refuse_own_names(found)
    return found


def _with_progress(console: Console, batch: Batch, found: list[Found]) -> Generator[Result]:
    """Yield the batch's results. Show a progress bar on a terminal and plain lines elsewhere."""
    if console.is_terminal:
        yield from _with_bar(console, batch, found)
        return
    for number, result in enumerate(batch.results(found), start=1):
        score = f"{result.score:g}/{result.max_score:g}"
        status = "" if result.status is Status.GRADED else f" {result.status.value}"
        print(f"[{number}/{len(found)}] {result.student} {score}{status}", flush=True)  # noqa: T201
        yield result


def _with_bar(console: Console, batch: Batch, found: list[Found]) -> Iterator[Result]:
    columns = (
        TextColumn("grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    started = time.monotonic()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("grading", total=len(found), rate="")
        for number, result in enumerate(batch.results(found), start=1):
            rate = number / (time.monotonic() - started)
            progress.update(task, advance=1, rate=f"{rate:.1f} a second")
            yield result


def _summary(console: Console, results: list[Result], out: Path) -> None:
    console.print(marks_table(results))
    console.print(legend(results), markup=False, highlight=False)
    for result in results:
        if result.status is not Status.GRADED:
            first = result.output.split("\n")[0]
            console.print(
                f"{result.student} ({result.status.value}): {first}", markup=False, highlight=False
            )
    console.print(
        f"Marks: {out / 'grades.csv'}   each student's: {out / '<student>' / 'results.json'}",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def _report_fault(student: str, text: str) -> None:
    print(f"The grader failed on {student}:\n{text}", file=sys.stderr, flush=True)  # noqa: T201
