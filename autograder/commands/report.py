"""`autograder report`: write the pages of results again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.commands import Exit
from autograder.commands.console import say
from autograder.errors import UsageError
from autograder.grading.run_seed import RUN_FILE
from autograder.reports.pages.write import write_anonymous, write_pages

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.commands.options import ReportOptions

DEFAULT_KEEP = "best"


def run(options: ReportOptions) -> int:
    """Write the pages; return the exit code. Raises UsageError for folders without results."""
    folders = list(options.folders)
    if len(folders) > 1 and (options.out is None or options.keep is None):
        missing = [
            name
            for name, given in (("--out DIR", options.out), ("--keep best|last", options.keep))
            if given is None
        ]
        raise UsageError(f"Several folders are merged into a new one: add {' and '.join(missing)}.")
    if options.out is not None and len(folders) > 1:
        _refuse_own_folder(options.out, folders)
    out, keep = options.out or folders[0], options.keep or DEFAULT_KEEP
    if not any(_same(out, folder) for folder in folders):
        _refuse_a_run(out)
    bugs: list[str] = []
    write = write_anonymous if options.anonymous else write_pages
    path = write(folders, out, bugs, keep)
    _say_bugs(bugs)
    say(f"Report: {path}")
    return Exit.DONE


def write_pages_of(folder: Path, *, quiet: bool = False) -> None:
    """Write the pages after grading. If that fails, print why: the marks are written already."""
    bugs: list[str] = []
    try:
        path = write_pages([folder], folder, bugs)
    except UsageError as error:
        say(f"Pages are missing: {error} --no-pages leaves all pages out.", error=True)
        return
    _say_bugs(bugs)
    if not quiet:
        say(f"Report: {path}   each student's: {folder / '<student>' / 'feedback.html'}")


def _say_bugs(bugs: list[str]) -> None:
    if bugs:
        pages = "1 page shows" if len(bugs) == 1 else f"{len(bugs)} pages show"
        say(
            f"{pages} the marks only, since the kit could not make more. Please report this bug:\n{bugs[0]}",
            error=True,
        )


def _refuse_own_folder(out: Path, folders: list[Path]) -> None:
    if any(_same(out, folder) for folder in folders):
        raise UsageError(f"--out {out} is one of the folders to merge. Give a new folder.")


def _refuse_a_run(out: Path) -> None:
    """Raise UsageError if the folder belongs to a run: its results would be overwritten."""
    if (out / RUN_FILE).exists():
        raise UsageError(f"--out {out} holds the results of a run. Give a new folder.")


def _same(first: Path, second: Path) -> bool:
    return first.resolve() == second.resolve()
