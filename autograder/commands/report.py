"""`autograder report`: write the pages of results again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.commands import Exit
from autograder.commands.console import say
from autograder.errors import UsageError
from autograder.grading.run_seed import RUN_FILE
from autograder.reports.graded_class import load_folders, merged, write_merged
from autograder.reports.pages.report_page import REPORT_FILE
from autograder.reports.pages.write import write_anonymous, write_views

if TYPE_CHECKING:
    from autograder.commands.options import ReportOptions
    from autograder.reports.graded_class import GradedClass


def run(options: ReportOptions) -> int:
    """Write the pages; return the exit code. Raises UsageError for folders without results."""
    folders = list(options.folders)
    if len(folders) > 1 and (options.out is None or options.keep is None):
        raise UsageError(
            "Several folders are merged into a new one: add --out DIR and --keep best|last."
        )
    out = options.out or folders[0]
    if options.out is not None and (out / RUN_FILE).exists() and [out] != folders:
        raise UsageError(f"--out {out} holds the results of a run. Give a new folder.")
    loaded = load_folders(folders)
    keep, graded = options.keep or "best", loaded[0]
    if len(folders) > 1 or out.resolve() != folders[0].resolve():
        graded = merged(loaded, out, keep)
        if not options.anonymous:
            write_merged(graded)
            graded = graded.with_marks
    tell_notes(graded)
    _say_bugs(write_anonymous(graded, out) if options.anonymous else write_views(graded))
    say(f"Report: {out / REPORT_FILE}")
    return Exit.DONE


def tell_notes(graded: GradedClass, *, error: bool = False) -> None:
    """Print what is to be said of changed marks and of a merge."""
    for note in graded.notes:
        say(note, error=error)


def write_pages_of(graded: GradedClass, *, quiet: bool = False) -> None:
    """Write the pages after grading."""
    _say_bugs(write_views(graded))
    if not quiet:
        report, pages = graded.folder / REPORT_FILE, graded.folder / "<student>" / "feedback.html"
        say(f"Report: {report}   each student's: {pages}")


def _say_bugs(bugs: list[str]) -> None:
    if bugs:
        say(
            f"{len(bugs)} pages could not be made; the marks stand. Please report this bug:\n{bugs[0]}",
            error=True,
        )
