"""Write results in a format of another program: `autograder export`, and `--format` of `autograder grade`."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.commands import Exit
from autograder.commands.console import say
from autograder.commands.report import tell_notes
from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.reports.formats.format import Export, Format, Rendered, exported_file
from autograder.reports.graded_class import load_graded_class

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.commands.options import ExportOptions
    from autograder.reports.graded_class import GradedClass


def run(options: ExportOptions) -> int:
    """Write the format; return the exit code. Raises UsageError before anything is written."""
    format_ = options.format
    _refuse_wrong_file(format_, options.into)
    column = options.column, options.anyway, options.keep
    if not format_.fills and any(column):
        raise UsageError(
            "--column, --anyway and --keep are about the column of a file that is filled; "
            f"{format_.name} fills none."
        )
    if options.anyway and options.column is None:
        raise UsageError("--anyway goes with --column TITLE only.")
    graded = load_graded_class(options.folder)
    if options.without_questions:
        graded = graded.without_questions
    rendered = format_.render(Export(graded, options.into, *column))
    _add_to_platform(format_, rendered)
    if options.into is not None:
        write_whole(options.into, rendered.data)
        if rendered.exported:
            write_whole(exported_file(options.into), rendered.exported)
    else:
        _print(rendered)
    notes = [*rendered.notes]
    if lacking := sorted((*graded.missing, *graded.unreadable)):
        notes.append(
            f"Without a readable results.json: {', '.join(lacking)}. Run `autograder grade` again."
        )
    for note in notes:
        say(note, error=options.into is None)
    tell_notes(graded, error=options.into is None)
    return Exit.DONE


def write_format(chosen: Format, graded: GradedClass) -> None:
    """Write the results in DIR, and where the platform reads them. Raises UsageError if they do not fit."""
    rendered = chosen.render(Export(graded))
    path = graded.folder / chosen.file
    write_whole(path, rendered.data)
    _add_to_platform(chosen, rendered)
    for note in rendered.notes:
        say(note)
    if chosen.variable:
        _print(rendered)
    else:
        say(f"{chosen.name}: {path}")


@contextmanager
def needs_extra(option: str, install: str) -> Iterator[None]:
    """Import what an option needs in this block. Raises UsageError, which says what to install, if it is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{option} needs the module {error.name!r}. In the kit's folder: {install}"
        ) from None


def _print(rendered: Rendered) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(rendered.data)
    sys.stdout.flush()


def _add_to_platform(format_: Format, rendered: Rendered) -> None:
    """Append to the file that the platform names in its variable, if there is one."""
    if path := os.environ.get(format_.variable, "") if format_.variable else "":
        with Path(path).open("ab") as file:
            file.write(rendered.added)


def _refuse_wrong_file(format_: Format, into: Path | None) -> None:
    """Raise UsageError if `--into` does not fit the format."""
    if (format_.fills or format_.packs) and into is None:
        what = "the file to fill" if format_.fills else "the zip to write"
        raise UsageError(f"The format {format_.name} needs --into FILE: {what}.")
    if format_.fills and into is not None and not into.is_file():
        raise UsageError(
            f"There is no {into}. Export the gradebook from your platform first, and give that file to --into."
        )
