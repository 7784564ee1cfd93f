"""The arguments and options of each command. A record of this module is what a command line says.

A field is an option of the same name, unless it says otherwise. The record's docstring is the command's help.
"""

from __future__ import annotations

import re
import sys
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.grading.lateness import read_deadline, read_percent
from autograder.reports.formats import FORMATS, find_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.reports.formats.format import Format

PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


def argument(metavar: str, kind: click.ParamType[Any] | None = None, **about: Any) -> Any:
    """Return a field that an argument fills."""
    about |= {"metavar": metavar, "type": kind}
    return field(metadata={"click": click.Argument, "about": about})


def option(
    words: str,
    kind: click.ParamType[Any] | None = None,
    *,
    name: str = "",
    default: Any = None,
    **about: Any,
) -> Any:
    """Return a field that an option fills. It is a flag if its default is False; any other default is shown.

    Args:
        words: what `--help` says about it.
        name: the option, if it is not the field's name.
    """
    about |= {"help": words, "type": kind, "show_default": bool(default)}
    about |= {"is_flag": True} if default is False else {}
    about |= {} if default is None else {"default": default}
    return field(default=default, metadata={"click": click.Option, "about": about, "name": name})


def command(
    name: str, record: type, run: Callable[[Any], int], words: str | None = None
) -> click.Command:
    """Return the command whose options are the fields of a record, and which ends with the exit code of `run`."""

    def callback(**given: Any) -> None:
        sys.exit(run(record(**given)))

    parameters = [_parameter(one) for one in fields(record)]
    return click.Command(name, callback=callback, params=parameters, help=words or record.__doc__)


def _parameter(one: Field[Any]) -> click.Parameter:
    name = one.metadata.get("name") or f"--{one.name.replace('_', '-')}"
    kind: type[click.Parameter] = one.metadata["click"]
    names = [one.name] if kind is click.Argument else [one.name, name]
    return kind(names, **one.metadata["about"])


def _checked(
    read: Callable[[str], Any], words: str
) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """Return a callback that reads a text; `words` say what to write in place of one that it cannot read."""

    def callback(_: click.Context, __: click.Parameter, value: str | None) -> Any:
        try:
            return None if value is None else read(value)
        except ValueError:
            raise click.BadParameter(f"{value!r}: {words}.") from None

    return callback


def _read_digest(text: str) -> str:
    if not re.fullmatch(r"[0-9A-Fa-f]{64}", text):
        raise ValueError
    return text.lower()


def _read_format(_: click.Context, __: click.Parameter, name: str) -> Format:
    return find_format(name)


def _read_written_format(_: click.Context, __: click.Parameter, name: str | None) -> Format | None:
    found = find_format(name) if name else None
    if found and not found.file:
        raise click.BadParameter(
            f"it needs a file of the platform. Use `autograder export {name}` after grading."
        )
    return found


def _solutions() -> Any:
    return option("Where the assignments' sources are.", PATH, default=Path("solutions"))


def _solutions_of_bundle() -> Any:
    return option("Where the assignments' sources are; by default those of the project.", PATH)


def _assignments() -> Any:
    return option("Where the released folders are.", PATH, default=Path("assignments"))


@dataclass(frozen=True, kw_only=True)
class BuildOptions:
    """Write the folders that students get, and nbgrader's source folders, from their sources."""

    names: tuple[str, ...] = argument("[NAME]...", nargs=-1)
    check_only: bool = option(
        "Change nothing; fail where something differs.", name="--check", default=False
    )
    force: bool = option("Overwrite files in which somebody has worked.", default=False)
    keep: bool = option("Leave folders in which somebody has worked as they are.", default=False)
    solutions: Path = _solutions()
    assignments: Path = _assignments()
    course: Path = option(
        "The nbgrader course, whose source folder is written too.", FOLDER, default=Path("course")
    )


@dataclass(frozen=True, kw_only=True)
class GradeOptions:
    """Grade submissions: files, folders, or folders of them."""

    paths: tuple[Path, ...] = argument("PATH...", PATH, nargs=-1, required=True)
    assignment: str = option("Which assignment they hand in.", metavar="NAME", required=True)
    out: Path = option("Where results go.", FOLDER, metavar="DIR", required=True)
    jobs: int | None = option(
        "Cores to grade on, each with a process of its own.  [default: all]",
        click.IntRange(1, 256),
    )
    seed: int | None = option(
        "Draw the cases from this number.  [default: random]", click.IntRange(min=0)
    )
    fresh: bool = option("Remove the results in DIR and start anew.", default=False)
    timeout: float = option("CPU seconds for a check.", click.FloatRange(min=0.1), default=10.0)
    memory: int | None = option(
        "What a submission may take beside Python and torch.",
        click.IntRange(min=1024),
        metavar="MB",
    )
    public: bool = option("Public checks only, from the released folder.", default=False)
    release_digest: str | None = option(
        "With --public: the SHA-256 of the release's expected.json, to tell which files were changed.",
        metavar="SHA256",
        callback=_checked(_read_digest, "it is no SHA-256; `sha256sum expected.json` prints it"),
    )
    allow_degraded: bool = option("Grade even where sandbox layers are missing.", default=False)
    roster: Path | None = option(
        "The class: names, ids and e-mail addresses, such as a gradebook's export.",
        FILE,
        metavar="CSV",
    )
    is_one: bool = option(
        "Each PATH is one submission, whatever lies beside its file: for repositories and uploads.",
        name="--one",
        default=False,
    )
    groups: Path | None = option(
        "Who hands in together: a table with the columns group and student, or Canvas's export of groups.",
        FILE,
        metavar="CSV",
    )
    deadline: str | None = option(
        "When submissions are due, such as 2026-05-01T23:59. Needs the platform's times.",
        metavar="TIME",
        callback=_checked(read_deadline, "write a time such as 2026-05-01T23:59 or 2026-05-01"),
    )
    late_penalty: float | None = option(
        "What each day after the deadline costs, in percent of the earned points, such as 10%/day.",
        metavar="PERCENT/day",
        callback=_checked(read_percent, "write a percentage such as 10%/day"),
    )
    late_most: float | None = option(
        "The most that lateness costs.",
        metavar="PERCENT",
        callback=_checked(read_percent, "write a percentage such as 50"),
    )
    grace: float | None = option(
        "Minutes after the deadline that count as in time.",
        click.FloatRange(min=0),
        metavar="MINUTES",
    )
    regrade: tuple[str, ...] = option(
        "Grade this student again. May be repeated.",
        multiple=True,
        metavar="STUDENT",
    )
    gradebook: str | None = option(
        "Write the marks into nbgrader's gradebook, too, such as sqlite:///course/gradebook.db.",
        metavar="URL",
    )
    format: Format | None = option(
        "Also write the results for a platform, such as junit or github. See `autograder export`.",
        metavar="NAME",
        callback=_read_written_format,
    )
    fail_under: float | None = option(
        "End with exit code 3 if a score is lower.", click.FloatRange(min=0), metavar="POINTS"
    )
    engine: str = option(
        "Grade on this machine, or on a Dask cluster (docs/instructors.md).",
        click.Choice(["local", "dask"]),
        default="local",
    )
    scheduler: str = option(
        "With --engine dask: the scheduler, such as tcp://10.0.0.1:8786.",
        default="",
        metavar="ADDRESS",
    )
    quiet: bool = option("Print only what could not be graded.", default=False)
    no_pages: bool = option("Write no feedback.html and no report.html.", default=False)
    solutions: Path = _solutions()
    assignments: Path = _assignments()


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """Write the marks in DIR in a FORMAT for a gradebook, a course platform or another program.

    canvas and moodle fill one column of the file that you exported there. canvas-feedback, moodle-feedback
    and feedback write a zip of feedback for the students.
    DIR is what `grade` wrote with --out, or one student's folder in it.
    """

    format: Format = argument("FORMAT", callback=_read_format)
    folder: Path = argument("DIR", PATH)
    into: Path | None = option(
        "The file to fill or to write.  [default: standard output]", FILE, metavar="FILE"
    )
    column: str | None = option("The column of FILE to fill.", metavar="TITLE")
    anyway: bool = option(
        "With --column: fill it even if it looks like that of another assignment.", default=False
    )
    keep: bool = option(
        "Leave the marks in the column, also where nothing was exported before.", default=False
    )
    without_questions: bool = option(
        "Leave out the open questions, which people mark, and their points.", default=False
    )


ExportOptions.__doc__ = f"{ExportOptions.__doc__}\n    FORMAT is {', '.join(FORMATS)}."


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """Write feedback.html and report.html again, from the results in DIR alone."""

    folders: tuple[Path, ...] = argument("DIR...", FOLDER, nargs=-1, required=True)
    out: Path | None = option(
        "Where the pages go.  [default: the folder itself]", FOLDER, metavar="DIR"
    )
    keep: str | None = option(
        "Which try of a student counts, with several folders.", click.Choice(["best", "last"])
    )
    anonymous: bool = option("Only report.html, without names, ids and links.", default=False)


@dataclass(frozen=True, kw_only=True)
class ShowOptions:
    """Show how a step of a student was marked, derived again, for an appeal.

    DIR is what `grade` wrote with --out, and STUDENT a name there, an id or an e-mail address. DIR may also be
    nbgrader's course, or one results.json of a platform: then STUDENT is the file or folder that was handed in.
    The text has the inputs, what was observed and what was expected: it is for the instructor only.
    """

    folder: Path = argument("DIR", PATH)
    student: str = argument("STUDENT")
    step: str = argument("STEP")
    seed: int | None = option(
        "With a results.json: the seed of its run, as its log tells it.", click.IntRange(min=0)
    )
    every: bool = option("Show every case, with all numbers.", name="--all", default=False)
    allow_degraded: bool = option("Run even where sandbox layers are missing.", default=False)
    solutions: Path = _solutions()


@dataclass(frozen=True, kw_only=True)
class MutantsOptions:
    """Count the small edits of an assignment's reference, and list those that an exam does not tell from it."""

    name: str = argument("NAME")
    step: str | None = argument("[STEP]", required=False)
    solutions: Path = _solutions()


def _release() -> Any:
    return option("The released folder.", FOLDER, default=Path())


@dataclass(frozen=True, kw_only=True)
class HintOptions:
    """Print the next hint on a step: 1 a nudge, 2 where to look, 3 an example on other numbers."""

    step: str = argument("STEP")
    level: int | None = option("This hint, not the next one.", click.IntRange(1, 3))
    folder: Path = _release()


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """Show again what the last check said of STEP, or of the first step that is not right.

    Work that was saved since is checked again.
    """

    step: str | None = argument("[STEP]", required=False)
    folder: Path = _release()


@dataclass(frozen=True, kw_only=True)
class ResetOptions:
    """Put the released stub of STEP back into your file. Your text of it is kept in a file beside it."""

    step: str = argument("STEP")
    folder: Path = _release()


@dataclass(frozen=True, kw_only=True)
class WatchOptions:
    """Run the public checks whenever your file or notebook is saved, and show the first step that is not right."""

    folder: Path = argument("[FOLDER]", FOLDER, required=False, default=Path())


@dataclass(frozen=True, kw_only=True)
class DoctorOptions:
    """Tell which layers of the sandbox this machine offers, and what each stops."""


def _project() -> Any:
    return option("The kit's own folder, of which the wheel is made.", PATH, default=Path())


@dataclass(frozen=True, kw_only=True)
class StudentBundleOptions:
    """Pack an assignment for a student: the release, the kit's wheel, and how to begin."""

    name: str = argument("NAME")
    out: Path = option("The zip to write.", FILE, metavar="FILE", required=True)
    project: Path = _project()
    solutions: Path | None = _solutions_of_bundle()


@dataclass(frozen=True, kw_only=True)
class PlatformBundleOptions:
    """Write what a course platform needs."""

    name: str = argument("NAME")
    out: Path = option(
        "The folder to write; for Gradescope the zip.", PATH, metavar="PATH", required=True
    )
    torch_index: str = option(
        "Where pip finds CPU builds of torch.",
        default="https://download.pytorch.org/whl/cpu",
        metavar="URL",
    )
    project: Path = _project()
    solutions: Path | None = _solutions_of_bundle()
