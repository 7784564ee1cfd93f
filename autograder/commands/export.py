"""Write results in a format of another program: `autograder export`, and `--format` of `autograder grade`."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.commands import Exit
from autograder.commands.console import say
from autograder.errors import UsageError
from autograder.files import write_whole
from autograder.grading.overrides import OVERRIDES_FILE
from autograder.reports.formats import FORMATS
from autograder.reports.formats.format import Export, Format, Into, Rendered
from autograder.reports.graded_class import GradedClass, load_graded_class
from autograder.text import nearest
from autograder.wheel import INSTALL_INSTRUCTOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from autograder.commands.options import ExportOptions
    from autograder.reports.class_record import Member
    from autograder.results import Result


def run(options: ExportOptions) -> int:
    """Write the format; return the exit code. Raises UsageError before anything is written."""
    format_ = _find_format(options.format)
    _refuse_wrong_file(format_, options.into)
    column = options.column, options.scale, options.keep
    if not format_.fills and any(column):
        raise UsageError(
            f"--column, --scale and --keep are about the column of a file that is filled; {format_.name} fills none."
        )
    graded, waiting = _with_manual_marks(load_graded_class(options.folder), options.gradebook)
    if options.without_questions:
        graded, waiting = graded.without_questions, ()
    rendered = format_.render(Export(graded, options.into, *column))
    added = _add_to_platform(format_, rendered)
    if options.into is not None:
        write_whole(options.into, rendered.data)
    elif format_.printed or not added:
        _print(rendered)
    notes = [*rendered.notes, *waiting]
    if lacking := sorted((*graded.missing, *graded.unreadable)):
        notes.append(
            f"Without a readable results.json: {', '.join(lacking)}. Run `autograder grade` again."
        )
    if graded.outdated:
        notes.append(
            f"{OVERRIDES_FILE} was changed after these marks were made. They do not hold the change: run "
            "`autograder grade` again, then export again."
        )
    for note in notes:
        say(note, error=options.into is None)
    return Exit.DONE


def chosen_format(name: str | None) -> Format | None:
    """Return the format of `--format`. Raises UsageError if it does not exist or fills an existing file."""
    if name is None:
        return None
    chosen = _find_format(name)
    if chosen.into is not Into.WRITTEN or not chosen.file:
        raise UsageError(
            f"--format {name} needs a file of the platform. Use `autograder export {name}` after grading."
        )
    return chosen


def write_format(
    chosen: Format, out: Path, results: Iterable[Result], members: Iterable[Member]
) -> None:
    """Write the results into DIR, and where the platform reads them. Raises UsageError if they do not fit."""
    known = {member.student: member for member in members}
    rendered = chosen.render(Export(GradedClass(out, tuple(results), known)))
    path = out / chosen.file
    write_whole(path, rendered.data)
    _add_to_platform(chosen, rendered)
    for note in rendered.notes:
        say(note)
    if chosen.printed:
        _print(rendered)
    else:
        say(f"{chosen.about}: {path}")


@contextmanager
def needs_nbgrader() -> Iterator[None]:
    """Import what `--gradebook` needs in this block. Raises UsageError if it is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(
            f"--gradebook needs nbgrader, and there is no module {error.name!r}. "
            f"In the kit's folder: {INSTALL_INSTRUCTOR}"
        ) from None


def _with_manual_marks(
    graded: GradedClass, gradebook: str | None
) -> tuple[GradedClass, tuple[str, ...]]:
    """Add what people marked in nbgrader, and notes. Only `--gradebook` needs nbgrader."""
    if gradebook is None:
        return graded, ()
    with needs_nbgrader():
        from autograder.nbgrader.manual_marks import with_manual_marks  # noqa: PLC0415
    return with_manual_marks(graded, gradebook)


def _print(rendered: Rendered) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(rendered.data)
    sys.stdout.flush()


def _add_to_platform(format_: Format, rendered: Rendered) -> bool:
    """Append to the file that the platform names in its variable; return whether there is one."""
    path = os.environ.get(format_.variable, "") if format_.variable else ""
    if not path:
        return False
    with Path(path).open("ab") as file:
        file.write(rendered.added)
    return True


def _find_format(name: str) -> Format:
    """Return the format of this name. Raises UsageError, with the nearest name, if there is none."""
    if name not in FORMATS:
        raise UsageError(f"There is no format {name!r}. {nearest(name, FORMATS)}")
    return FORMATS[name]


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
