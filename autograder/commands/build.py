"""`autograder build`: build the students' folders from the sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from autograder.assignment.source import source_names
from autograder.commands import Exit
from autograder.errors import UsageError
from autograder.release.build import (
    plan_build,
    source_folder,
    write_build,
    write_course,
)
from autograder.release.trial import try_out

if TYPE_CHECKING:
    from pathlib import Path

    from autograder.commands.options import BuildOptions
    from autograder.release.build import Build


def run(options: BuildOptions) -> int:
    """Build the named assignments, or all; return the exit code.

    The assignments are tried out first, except with `--check` and `--keep`.

    Raises UsageError before anything is written.
    """
    names = options.names or source_names(options.solutions)
    plans = [plan_build(options.solutions, options.assignments, name) for name in names]
    if options.check_only:
        return _check(plans)
    edited = [plan for plan in plans if plan.edited and not options.force]
    if edited and not options.keep:
        raise UsageError("\n".join(map(_edited_words, edited)) + "\nNothing was written.")
    if not options.keep:
        for plan in plans:
            try_out(plan.source, plan.exam, plan.mutants)
    for plan in plans:
        _write(plan, options.course, keep=plan in edited)
    return Exit.DONE


def _check(plans: list[Build]) -> int:
    differing = [plan for plan in plans if plan.changed or plan.new_mutants is not None]
    for plan in differing:
        for name in plan.changed:
            click.echo(f"{plan.folder / name} differs.")
        if plan.new_mutants is not None:
            click.echo(f"{plan.source.assignment.folder}/mutants.json is older than its sources.")
    if differing:
        folders = ", ".join(str(plan.folder) for plan in differing)
        click.echo(f"autograder: {folders} is not what `autograder build` makes.", err=True)
    return Exit.NOT_ALL if differing else Exit.DONE


def _write(plan: Build, course: Path, *, keep: bool) -> None:
    if keep:
        click.echo(_edited_words(plan))
    else:
        write_build(plan)
        click.echo(f"{plan.folder}: {'written' if plan.changed else 'up to date'}")
    if write_course(plan, course):
        click.echo(f"{source_folder(plan.name, course)}: written, with solutions")


def _edited_words(plan: Build) -> str:
    files = ", ".join(plan.edited)
    return f"{plan.folder}: somebody has worked in {files}; left as it is (--force overwrites it)."
