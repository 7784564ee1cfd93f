"""`autograder bundle`: pack what students or a course platform need."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder.commands.group import Group

if TYPE_CHECKING:
    from collections.abc import Callable

_PROJECT = click.option(
    "--project",
    type=click.Path(path_type=Path),
    default=Path(),
    show_default=True,
    help="The kit's own folder, of which the wheel is made.",
)


def _platform_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the arguments and options that every bundle for a platform has."""
    for option in (
        click.argument("name"),
        click.option(
            "--out",
            required=True,
            type=click.Path(path_type=Path),
            metavar="PATH",
            help="The folder to write; for Gradescope the zip.",
        ),
        click.option(
            "--torch-index",
            default="https://download.pytorch.org/whl/cpu",
            show_default=True,
            metavar="URL",
            help="Where pip finds CPU builds of torch.",
        ),
        _PROJECT,
    ):
        command = option(command)
    return command


@click.group(cls=Group)
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
@_PROJECT
def bundle_student(name: str, out: Path, project: Path) -> None:
    """Pack an assignment for a student: the release, the kit's wheel, and how to begin."""
    from autograder.release.bundle import bundle_for_student  # noqa: PLC0415

    bundle_for_student(project, name, out)
    click.echo(f"{out}: give this file to your students; its README says how to begin.")


@bundle.command("github-classroom")
@_platform_options
def bundle_github_classroom(**options: Any) -> None:
    """Write a template repository for GitHub Classroom."""
    _bundle_for_platform("github-classroom", **options)


@bundle.command("classroom50")
@_platform_options
def bundle_classroom50(**options: Any) -> None:
    """Write a template repository and the public autograder for Classroom 50."""
    _bundle_for_platform("classroom50", **options)


@bundle.command("gitlab")
@_platform_options
def bundle_gitlab(**options: Any) -> None:
    """Write a template repository for GitLab."""
    _bundle_for_platform("gitlab", **options)


@bundle.command("gradescope")
@_platform_options
def bundle_gradescope(**options: Any) -> None:
    """Pack the full grader, with the solutions, as Gradescope's autograder."""
    _bundle_for_platform("gradescope", **options)


def _bundle_for_platform(platform: str, **options: Any) -> None:
    from autograder.release.platforms import bundle_for_platform  # noqa: PLC0415

    written = bundle_for_platform(platform, **options)
    click.echo(f"{written}: its README says what to do with it.")
