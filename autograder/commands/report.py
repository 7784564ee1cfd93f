"""`autograder report`: write the pages of results again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.commands import Exit
from autograder.commands.console import say
from autograder.errors import UsageError
from autograder.grading.run_seed import RUN_FILE
from autograder.reports.pages.report_page import REPORT_FILE
from autograder.reports.pages.write import write_pages

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.commands.options import ReportOptions


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
    _say_bugs(write_pages(folders, out, options.keep or "best", anonymous=options.anonymous))
    say(f"Report: {out / REPORT_FILE}")
    return Exit.DONE


def write_pages_of(folder: Path, *, quiet: bool = False) -> None:
    """Write the pages after grading. If that fails, print why: the marks are written already."""
    try:
        _say_bugs(write_pages([folder], folder))
    except UsageError as error:
        say(f"Pages are missing: {error} --no-pages leaves all pages out.", error=True)
        return
    if not quiet:
        report, pages = folder / REPORT_FILE, folder / "<student>" / "feedback.html"
        say(f"Report: {report}   each student's: {pages}")


def _say_bugs(bugs: list[str]) -> None:
    if bugs:
        say(
            f"{len(bugs)} pages could not be made; the marks stand. Please report this bug:\n{bugs[0]}",
            error=True,
        )
