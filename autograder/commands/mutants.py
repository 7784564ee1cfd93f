"""`autograder mutants`: how many small edits of a reference an exam tells from it, and those that it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from autograder.assignment.source import load_source, source_names, unknown_assignment
from autograder.commands import Exit
from autograder.commands.console import named_step
from autograder.edits.places import in_words
from autograder.exam.mutant_search import search_mutants
from autograder.exam.mutants import Workshop, read_mutants

if TYPE_CHECKING:
    from autograder.commands.options import MutantsOptions


def run(options: MutantsOptions) -> int:
    """Print the mutants of an assignment, or of one step; return the exit code."""
    folder = options.solutions / options.name
    if not folder.is_dir():
        known = source_names(options.solutions)
        raise unknown_assignment(options.name, options.solutions, known)
    source = load_source(folder)
    checks = source.assignment.by_step
    if options.step is not None:
        checks = {options.step: named_step(options.step, checks)}
    steps = read_mutants(source) or search_mutants(source)
    cells = Workshop(source).cells
    for name in checks:
        figures = steps[name].figures.items()
        click.echo(f"{name}: {', '.join(f'{count} {what}' for what, count in figures)}")
        for hole in steps[name].holes:
            click.echo(f"  {hole.mutant.edit.code} seeds {hole.seeds}")
            for old, new in in_words(cells[hole.mutant.cell], hole.mutant.edit):
                click.echo(f"       {hole.mutant.cell}: {new}   for   {old}")
    return Exit.DONE
