"""`autograder grade`: from paths on the command line to results in a folder."""

from __future__ import annotations

import difflib
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.assignment import load_source
from autograder.batch import Batch
from autograder.build import names
from autograder.errors import AssignmentError, UsageError
from autograder.exam import Exam, draw_exam
from autograder.records import Result, Status
from autograder.release import is_release, load_release
from autograder.reports.marks import legend, marks_table
from autograder.run import Run, open_run
from autograder.sandbox.process import Limits, Sandbox
from autograder.store import Store, refuse_own_names
from autograder.submission import Found, find_submissions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXIT_GRADED = 0
EXIT_UNGRADED = 1
EXIT_INTERRUPTED = 130

# A worker needs this much address space before a student's code does anything.
_DEFAULT_MEMORY = 4096


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


def run_grade(options: Options) -> int:
    """Grade what the options name; the exit code. Raises UsageError before anything is graded."""
    found = find_submissions(options.paths, options.assignment)
    if not found:
        raise UsageError(f"There is no submission in {', '.join(map(str, options.paths))}.")
    refuse_own_names(found)
    exam, run = _prepare(options)
    store = Store(options.out, run.id)
    steps = [check.name for check in exam.assignment.checks]
    sandbox = Sandbox(Limits(cpu=options.timeout, memory=options.memory or _DEFAULT_MEMORY))
    batch = Batch(
        exam, sandbox, run.id, jobs=options.jobs, earlier=store.earlier, report=_report_fault
    )
    console = Console()
    results: list[Result] = []
    try:
        for result in _with_progress(console, batch, found):
            store.keep(result)
            results.append(result)
    except KeyboardInterrupt:
        console.print(
            f"Stopped after {len(results)} of {len(found)}. The same command goes on from here.",
            markup=False,
        )
        return EXIT_INTERRUPTED
    finally:
        store.keep_grades(results, steps)
    results.sort(key=lambda result: result.student)
    _summary(console, results, options.out)
    ungraded = any(result.status is Status.UNGRADED for result in results)
    return EXIT_UNGRADED if ungraded else EXIT_GRADED


def _prepare(options: Options) -> tuple[Exam, Run]:
    """The exam and its run: drawn from the run's seed, or the released questions."""
    if options.public:
        folder = options.assignments / options.assignment
        if not is_release(folder):
            raise UsageError(
                f"{folder} is no released assignment. Say where it is with --assignments."
            )
        exam = load_release(folder)
        digest = f"public {exam.assignment.probes!r}"
        return exam, open_run(
            options.out, exam.assignment, digest, seed=options.seed, fresh=options.fresh
        )
    folder = options.solutions / options.assignment
    if not folder.is_dir():
        raise _unknown(options)
    source = load_source(folder)
    run = open_run(
        options.out, source.assignment, source.digest, seed=options.seed, fresh=options.fresh
    )
    return draw_exam(source, run.seed), run


def _unknown(options: Options) -> AssignmentError:
    known = names(options.solutions)
    close = difflib.get_close_matches(options.assignment, known, n=1)
    hint = f"Did you mean {close[0]!r}?" if close else f"There is: {', '.join(known) or 'none'}."
    return AssignmentError(
        f"There is no assignment {options.assignment!r} in {options.solutions}. {hint}"
    )


def _with_progress(console: Console, batch: Batch, found: list[Found]) -> Iterator[Result]:
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
    print(f"The grader failed on {student}:\n{text}", file=sys.stderr)  # noqa: T201
