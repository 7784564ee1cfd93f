"""The command line. Each command imports its heavy modules only when it runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from autograder import __version__
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


class _Group(click.Group):
    """Suggest a command for a misspelt one, and turn errors into a message and an exit code."""

    group_class = type

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib  # noqa: PLC0415

            close = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
            if close:
                raise click.UsageError(f"{error.message} Did you mean {close[0]!r}?", ctx) from None
            raise

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


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="self-attention-kit")
def main() -> None:
    """Exercises for self-attention, and the grader for them."""
    for stream in (sys.stdout, sys.stderr):
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
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH..."
)
@click.option("--assignment", required=True, metavar="NAME", help="Which assignment they hand in.")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where results go.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Submissions to grade in parallel.",
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
    "--memory", type=click.IntRange(min=1024), metavar="MB", help="Address space of a worker."
)
@click.option("--public", is_flag=True, help="Public checks only, from the released folder.")
@click.option("--allow-degraded", is_flag=True, help="Grade even where sandbox layers are missing.")
@click.option(
    "--gradebook",
    metavar="URL",
    help="Write the marks into nbgrader's gradebook, too, such as sqlite:///course/gradebook.db.",
)
@_SOLUTIONS
@_ASSIGNMENTS
def grade(**options: Any) -> None:
    """Grade submissions: files, folders, or folders of them."""
    from autograder.commands.grade import Options, run_grade  # noqa: PLC0415

    sys.exit(run_grade(Options(**options)))


@main.command()
def doctor() -> None:
    """Tell which layers of the sandbox this machine offers, and what each stops."""
    from autograder.commands.doctor import run_doctor  # noqa: PLC0415

    sys.exit(run_doctor())


@main.group()
def bundle() -> None:
    """Pack what somebody needs into one file."""


@bundle.command("student")
@click.argument("name")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The zip to write.",
)
@click.option(
    "--project",
    type=click.Path(path_type=Path),
    default=Path(),
    show_default=True,
    help="The kit's own folder, of which the wheel is made.",
)
def bundle_student(name: str, out: Path, project: Path) -> None:
    """Pack an assignment for a student: the release, the kit's wheel, and how to begin."""
    from autograder.release.bundle import bundle_for_student  # noqa: PLC0415

    bundle_for_student(project, name, out)
    click.echo(f"{out}: give this file to your students; its README says how to begin.")


if __name__ == "__main__":
    main()
