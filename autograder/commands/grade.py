"""`autograder grade`: from paths on the command line to results in a folder."""

from __future__ import annotations

import hashlib
import signal
import sys
import time
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.assignment.catalogue import EXPECTED, is_release, names, unknown_assignment
from autograder.assignment.source import load_source
from autograder.errors import UsageError
from autograder.exam.draw import draw_exam
from autograder.exam.public import load_release, released_names
from autograder.grading.batch import Batch
from autograder.grading.gc_pause import made_to_stay
from autograder.grading.run_id import Run, open_run
from autograder.reports.results_folder import Store, refuse_own_names
from autograder.reports.terminal_table import legend, marks_table
from autograder.results import Result, Status
from autograder.sandbox.layers.prctl import set_undumpable
from autograder.sandbox.limits import DEFAULT_MEMORY, Limits
from autograder.sandbox.policy import refuse_if_open
from autograder.sandbox.warm import best_sandbox
from autograder.submission.find import Found, find_submissions

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from autograder.assignment.source import Assignment
    from autograder.exam.questions import Exam
    from autograder.sandbox.sandbox import Sandbox

EXIT_GRADED = 0
EXIT_UNGRADED = 1
EXIT_INTERRUPTED = 130


@dataclass(frozen=True)
class Options:
    """What the command line asked for."""

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
    """Where marks go besides the folder of results; `blank` are those that have none."""

    blank: list[str]

    def keep(self, result: Result) -> None: ...


def run_grade(options: Options) -> int:
    """Grade what the options name; the exit code. Raises UsageError before anything is graded."""
    if options.public and options.gradebook:
        raise UsageError("--public goes without --gradebook: a mark never rests on public checks.")
    folder = _folder(options)
    found = _find(options)
    limits = Limits(cpu=options.timeout, memory=options.memory or DEFAULT_MEMORY)
    sandbox = best_sandbox(limits, probes=_probes(folder))
    with closing(sandbox):
        sandbox.prepare()  # it imports torch while this process does
        return _grade_in(sandbox, options, folder, found)


def _grade_in(sandbox: Sandbox, options: Options, folder: Path, found: list[Found]) -> int:
    set_undumpable()
    with made_to_stay():
        exam, run = _prepare(options, folder, sandbox)
    with _open_gradebook(options, exam) as marks:
        return _grade_all(sandbox, options, found, exam, run, marks)


def _open_gradebook(options: Options, exam: Exam) -> AbstractContextManager[_Marks | None]:
    """nbgrader's gradebook, where one was asked for; nothing else here needs nbgrader."""
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


def _grade_all(
    sandbox: Sandbox,
    options: Options,
    found: list[Found],
    exam: Exam,
    run: Run,
    marks: _Marks | None,
) -> int:
    store = Store(options.out, run.id)
    batch = Batch(
        exam, sandbox, run.id, jobs=options.jobs, earlier=store.earlier, report=_report_fault
    )
    # Only on a real terminal, whatever FORCE_COLOR says: a log is no place for a bar that moves.
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
    """A job that is ended from outside, or by a closed terminal, stops its workers too."""
    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    changed = [one for one in signals if signal.getsignal(one) is signal.SIG_DFL]
    for one in changed:
        signal.signal(one, signal.default_int_handler)
    try:
        yield
    finally:
        for one in changed:
            signal.signal(one, signal.SIG_DFL)


def _folder(options: Options) -> Path:
    """Where the assignment is, with its solution or released. Raises UsageError if there is none."""
    place = options.assignments if options.public else options.solutions
    folder = place / options.assignment
    if is_release(folder) if options.public else folder.is_dir():
        return folder
    known = released_names(place) if options.public else names(place)
    raise unknown_assignment(options.assignment, place, known)


def _find(options: Options) -> list[Found]:
    """The submissions; DIR itself is none of them. Raises UsageError if they cannot be graded into DIR."""
    found = find_submissions(options.paths, options.assignment)
    if options.out.is_dir():
        found = [
            one for one in found if one.path.is_symlink() or not one.path.samefile(options.out)
        ]
    if not found:
        raise UsageError(f"There is no submission in {', '.join(map(str, options.paths))}.")
    refuse_own_names(found)
    return found


def _probes(folder: Path) -> bytes:
    """The checks' source, so that the warm process need not wait for the rest; empty if there is none."""
    path = folder / f"test_{folder.name}.py"
    return path.read_text(encoding="utf-8").encode() if path.exists() else b""


def _refuse_if_open(sandbox: Sandbox, options: Options) -> None:
    places = (options.out, *options.paths, *(() if options.public else (options.solutions,)))
    refuse_if_open(sandbox, places, allowed=options.allow_degraded, switch="--allow-degraded")


def _prepare(options: Options, folder: Path, sandbox: Sandbox) -> tuple[Exam, Run]:
    """The exam and its run: drawn from the run's seed, or the released questions."""
    if options.public:
        exam = load_release(folder)
        content = (folder / EXPECTED).read_bytes() + exam.assignment.probes
        run = _open_run(options, exam.assignment, hashlib.sha256(content).hexdigest())
    else:
        source = load_source(folder)
        run = _open_run(options, source.assignment, source.digest)
        exam = draw_exam(source, run.seed)
    _refuse_if_open(sandbox, options)  # by now it is ready, too
    run.write(options.out)
    return exam, run


def _open_run(options: Options, assignment: Assignment, digest: str) -> Run:
    return open_run(options.out, assignment, digest, seed=options.seed, fresh=options.fresh)


def _with_progress(console: Console, batch: Batch, found: list[Found]) -> Generator[Result]:
    """The batch's results, with a bar on a terminal and plain lines elsewhere."""
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
