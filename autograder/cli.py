"""The command line. Each command imports its heavy modules only when it runs."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from autograder import __version__
from autograder.commands.bundle import bundle
from autograder.commands.group import Group
from autograder.errors import KitError, UsageError

EXIT_UNGRADED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

_SOLUTIONS = click.option(
    "--solutions",
    type=click.Path(path_type=Path),
    default=Path("solutions"),
    show_default=True,
    help="Where the assignments' sources are.",
)
_ASSIGNMENTS = click.option(
    "--assignments",
    type=click.Path(path_type=Path),
    default=Path("assignments"),
    show_default=True,
    help="Where the released folders are.",
)


def _digest(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(r"[0-9A-Fa-f]{64}", value):
        raise click.BadParameter("it is no SHA-256; `sha256sum expected.json` prints it.")
    return value


class _Main(Group):
    """Turn errors into a message and an exit code."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Run as a program. Its processes import nothing from the current folder, in which submissions may be."""
        os.environ["PYTHONSAFEPATH"] = "1"
        return super().__call__(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UsageError as error:
            _fail(str(error), EXIT_USAGE)
        except KitError as error:
            _fail(f"The grader failed: {error}", EXIT_UNGRADED)
        except OSError as error:
            _fail(f"Stopped: {error}. Results written so far are complete.", EXIT_UNGRADED)
        except KeyboardInterrupt:
            _fail("Stopped.", EXIT_INTERRUPTED)


def _fail(message: str, code: int) -> NoReturn:
    click.echo(f"autograder: {message}", err=True)
    sys.exit(code)


@click.group(cls=_Main, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="self-attention-kit")
def main() -> None:
    """Exercises for self-attention, and the grader for them."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # it was closed before the start
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


@main.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--check", "check_only", is_flag=True, help="Change nothing; fail where something differs."
)
@click.option("--force", is_flag=True, help="Overwrite files in which somebody has worked.")
@click.option(
    "--keep", is_flag=True, help="Leave folders in which somebody has worked as they are."
)
@_SOLUTIONS
@_ASSIGNMENTS
@click.option(
    "--course",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("course"),
    show_default=True,
    help="The nbgrader course, whose source folder is written too.",
)
def build(**options: Any) -> None:
    """Write the folders that students get, and nbgrader's source folders, from their sources."""
    from autograder.commands.build import Options, run_build  # noqa: PLC0415

    sys.exit(run_build(Options(**options)))


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="PATH...")
@click.option("--assignment", metavar="NAME", help="Which assignment they hand in.  [required]")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where results go.  [required]",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="Cores to grade on, each with a process of its own.  [default: all]",
)
@click.option(
    "--seed", type=click.IntRange(min=0), help="Draw the cases from this number.  [default: random]"
)
@click.option("--fresh", is_flag=True, help="Start anew in a folder that holds another run.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    help="CPU seconds for a check.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=1024),
    metavar="MB",
    help="What a submission may take beside Python and torch.",
)
@click.option("--public", is_flag=True, help="Public checks only, from the released folder.")
@click.option(
    "--release-digest",
    metavar="SHA256",
    callback=_digest,
    help="With --public: the SHA-256 of the release's expected.json, to tell which files were changed.",
)
@click.option("--allow-degraded", is_flag=True, help="Grade even where sandbox layers are missing.")
@click.option(
    "--roster",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="CSV",
    help="The class: names, ids and e-mail addresses, such as a gradebook's export.",
)
@click.option(
    "--regrade",
    multiple=True,
    metavar="STUDENT",
    help="Grade this student again, or all with the mistake of this name. May be repeated.",
)
@click.option(
    "--gradebook",
    metavar="URL",
    help="Write the marks into nbgrader's gradebook, too, such as sqlite:///course/gradebook.db.",
)
@click.option(
    "--format",
    metavar="NAME",
    help="Also write the results for a platform, such as junit or github. See `autograder export`.",
)
@click.option(
    "--fail-under",
    type=click.FloatRange(min=0),
    metavar="POINTS",
    help="End with exit code 3 if a score is lower.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Grade on this machine, or on a Dask cluster (docs/cluster.md).",
)
@click.option(
    "--scheduler",
    default="",
    metavar="ADDRESS",
    help="With --engine dask: the scheduler, such as tcp://10.0.0.1:8786.",
)
@click.option("--quiet", is_flag=True, help="Print only what could not be graded.")
@click.option("--no-pages", is_flag=True, help="Write no feedback.html and no report.html.")
@_SOLUTIONS
@_ASSIGNMENTS
def grade(**options: Any) -> None:
    """Grade submissions: files, folders, or folders of them."""
    from autograder.commands.needed import refuse_incomplete_grade  # noqa: PLC0415

    refuse_incomplete_grade(options)
    from autograder.commands.grade import Options, run_grade  # noqa: PLC0415

    sys.exit(run_grade(Options(**options)))


@main.command()
@click.argument("format", metavar="FORMAT")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--into",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file to fill or to write.  [default: standard output]",
)
@click.option("--column", metavar="TITLE", help="The column of FILE to fill.")
@click.option(
    "--scale", is_flag=True, help="Convert points to the maximum that FILE gives for the column."
)
@click.option(
    "--gradebook",
    metavar="URL",
    help="Add the points that people gave to open questions in nbgrader's gradebook.",
)
def export(**options: Any) -> None:
    """Write the marks in DIR in a FORMAT for a gradebook, a course platform or another program.

    FORMAT is canvas, moodle, csv, junit, markdown, github, github-classroom, classroom50, gitlab, prairielearn or
    autolab. canvas and moodle fill one column of the file that you exported there.
    DIR is what `grade` wrote with --out, or one student's folder in it.
    """
    from autograder.commands.export import Options, run_export  # noqa: PLC0415

    sys.exit(run_export(Options(**options)))


@main.command()
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR...",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the pages go.  [default: the folder itself]",
)
@click.option(
    "--keep",
    type=click.Choice(["best", "last"]),
    help="Which try of a student counts, with several folders.",
)
@click.option("--anonymous", is_flag=True, help="Only report.html, without names, ids and links.")
def report(**options: Any) -> None:
    """Write feedback.html and report.html again, from the results in DIR alone."""
    from autograder.commands.report import Options, run_report  # noqa: PLC0415

    sys.exit(run_report(Options(**options)))


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.argument("student", metavar="STUDENT")
@click.argument("step", metavar="STEP")
@click.option("--allow-degraded", is_flag=True, help="Run even where sandbox layers are missing.")
@_SOLUTIONS
def show(**options: Any) -> None:
    """Show how a step of a student was marked, derived again, for an appeal.

    DIR is what `grade` wrote with --out. STUDENT is a name there, an id or an e-mail address. The text has
    the inputs, what was observed and what was expected: it is for the instructor only.
    """
    from autograder.commands.show import Options, run_show  # noqa: PLC0415

    sys.exit(run_show(Options(**options)))


@main.command()
def doctor() -> None:
    """Tell which layers of the sandbox this machine offers, and what each stops."""
    from autograder.commands.doctor import run_doctor  # noqa: PLC0415

    sys.exit(run_doctor())


main.add_command(bundle)


if __name__ == "__main__":
    main()
