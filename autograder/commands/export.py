"""`autograder export`: write the marks of a folder of results in a format of another program."""

from __future__ import annotations

import difflib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from autograder.commands.console import say
from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.grading.overrides import OVERRIDES_FILE
from autograder.reports.exports.all import FORMATS
from autograder.reports.exports.format import Export, Format, Into, Rendered
from autograder.reports.graded_class import GradedClass, load_graded_class
from autograder.wheel import INSTALL_INSTRUCTOR

EXIT_WRITTEN = 0


@dataclass(frozen=True)
class Options:
    """The options of the command line."""

    format: str
    folder: Path
    into: Path | None = None
    column: str | None = None
    scale: bool = False
    gradebook: str | None = None


def run_export(options: Options) -> int:
    """Write the format; return the exit code. Raises UsageError before anything is written."""
    format_ = find_format(options.format)
    _refuse_wrong_file(format_, options.into)
    graded, waiting = _with_manual_marks(load_graded_class(options.folder), options.gradebook)
    rendered = format_.render(Export(graded, options.into, options.column, options.scale))
    added = add_to_platform(format_, rendered)
    if options.into is not None:
        write_whole(options.into, rendered.data)
    elif format_.printed or not added:
        sys.stdout.flush()
        sys.stdout.buffer.write(rendered.data)
    notes = [*rendered.notes, *waiting]
    if graded.unreadable:
        notes.append(
            f"Without a readable results.json: {', '.join(graded.unreadable)}. Run `autograder grade` again."
        )
    if graded.outdated:
        notes.append(
            f"{OVERRIDES_FILE} was changed after these marks were made. They do not hold the change: run "
            "`autograder grade` again, then export again."
        )
    for note in notes:
        say(note, error=options.into is None)
    return EXIT_WRITTEN


def _with_manual_marks(
    graded: GradedClass, gradebook: str | None
) -> tuple[GradedClass, tuple[str, ...]]:
    """Add what people marked in nbgrader, and notes. Only `--gradebook` needs nbgrader."""
    if gradebook is None:
        return graded, ()
    try:
        from autograder.nbgrader.manual_marks import with_manual_marks  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise UsageError(
            f"--gradebook needs nbgrader, and there is no module {error.name!r}. "
            f"In the kit's folder: {INSTALL_INSTRUCTOR}"
        ) from None
    return with_manual_marks(graded, gradebook)


def add_to_platform(format_: Format, rendered: Rendered) -> bool:
    """Append to the file that the platform names in its variable; return whether there is one."""
    path = os.environ.get(format_.variable, "") if format_.variable else ""
    if not path:
        return False
    with Path(path).open("ab") as file:
        file.write(rendered.added)
    return True


def find_format(name: str) -> Format:
    """Return the format of this name. Raises UsageError, with the nearest name, if there is none."""
    if name in FORMATS:
        return FORMATS[name]
    close = difflib.get_close_matches(name, FORMATS, n=1)
    hint = f"Did you mean {close[0]!r}?" if close else f"There is: {', '.join(FORMATS)}."
    raise UsageError(f"There is no format {name!r}. {hint}")


def _refuse_wrong_file(format_: Format, into: Path | None) -> None:
    """Raise UsageError if `--into` does not fit the format."""
    if format_.into is not Into.WRITTEN and into is None:
        raise UsageError(f"The format {format_.name} needs --into FILE: {format_.into.value}.")
    if into is not None and into.is_dir():
        raise UsageError(f"{into} is a folder. Give the name of a file to --into.")
    if format_.into is Into.FILLED and into is not None and not into.is_file():
        raise UsageError(
            f"There is no {into}. Export the gradebook from your platform first, and give that file to --into."
        )
