"""`autograder mutants`: the small edits of a reference, and which written mistakes they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from autograder.assignment.checks import VALUE
from autograder.assignment.source import load_source, source_names, unknown_assignment
from autograder.commands import Exit
from autograder.commands.console import named_step
from autograder.exam.draw import draw_exam
from autograder.exam.edits import in_words
from autograder.exam.mutant_search import SEEDS, search_mutants
from autograder.exam.mutants import Mutants, Workshop, read_mutants
from autograder.exam.sketch import sketched
from autograder.explain.wording import describe
from autograder.values.numbers import numbers_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.assignment.checks import Check
    from autograder.assignment.source import Source
    from autograder.commands.options import MutantsOptions
    from autograder.exam.mutants import Group, Mutant, StepMutants
    from autograder.exam.questions import Exam
    from autograder.values.values import Value

_SHOWN = 8


def run(options: MutantsOptions) -> int:
    """Print the mutants of an assignment, or of one step; return the exit code."""
    folder = options.solutions / options.name
    if not folder.is_dir():
        known = source_names(options.solutions)
        raise unknown_assignment(options.name, options.solutions, known)
    _print(load_source(folder), options)
    return Exit.DONE


def _print(source: Source, options: MutantsOptions) -> None:
    checks = {check.name: check for check in source.assignment.checks}
    if options.step is not None:
        checks = {options.step: named_step(options.step, checks)}
    steps = read_mutants(source) or search_mutants(source)
    listing = _Listing(source, steps, cases=options.cases)
    for check in checks.values():
        figures = steps[check.name].figures.items()
        click.echo(f"{check.name}: {', '.join(f'{count} {what}' for what, count in figures)}")
        if options.step is not None:
            for line in listing.lines(check):
                click.echo(line)
    if options.step is None:
        click.echo(f"`autograder mutants {options.name} STEP` lists those of one step.")


class _Listing:
    """The lines about the mutants of a step."""

    def __init__(self, source: Source, steps: dict[str, StepMutants], *, cases: bool) -> None:
        self.source = source
        self.steps = steps
        self.cases = cases
        self.exam: Exam = draw_exam(source, SEEDS[0])
        self.mutants = Mutants(source, steps)
        self.workshop = Workshop(source)

    def lines(self, check: Check) -> Iterator[str]:
        """Yield the lines, those without words first."""
        step = self.steps[check.name]
        written = self._written(check)
        without = [number for number in range(len(step.groups)) if number not in written]
        yield f"\nWithout words of yours ({len(without)}):"
        for number in without:
            yield from self._of_group(check, step.groups[number])
        yield f"\nWritten mistakes ({len(written)}):"
        for number, names in written.items():
            yield from self._of_group(check, step.groups[number], f"= {', '.join(names)}")
        yield f"\nPass and should not ({len(step.holes)}):"
        for hole in step.holes:
            yield from self._edit(hole.mutant, hole.mutant.edit.code, f"seeds {hole.seeds}")

    def _written(self, check: Check) -> dict[int, list[str]]:
        """Return for each group the written mistakes that give its answers to all drawn questions."""
        shown: list[dict[int, set[str]]] = []
        for question in self.exam.questions_for(check, check.criterion(VALUE)):
            if question.kind == "corner":  # a mistake may show nothing there
                continue
            known = [(wrong.mistake, sketched(wrong.value)) for wrong in question.answers[0].wrong]
            shown.append(
                {
                    one.group: {name for name, answer in known if answer.fits(one.sketch)}
                    for one in self.mutants(question, 0)
                }
            )
        first, *others = shown
        names = {
            group: sorted(names.intersection(*(other.get(group, set()) for other in others)))
            for group, names in first.items()
        }
        return {group: found for group, found in names.items() if found}

    def _of_group(self, check: Check, group: Group, words: str = "") -> Iterator[str]:
        codes = ", ".join(dict.fromkeys(code for _, code in group.origins))
        yield from self._edit(group.mutant, codes, words)
        if self.cases:
            criterion = check.criterion(group.criterion)
            question = self.exam.questions_for(check, criterion)[0]
            made = self.workshop.made(group.mutant)
            probe = criterion.probes[0]
            answer = self.workshop.answer(group.mutant.cell, made, probe, question.inputs)
            right = question.answers[0].right[0].value
            yield f"       right: {_numbers(right)}"
            yield f"       gives: {_numbers(answer[0]) if answer else 'no answer'}"

    def _edit(self, mutant: Mutant, codes: str, words: str) -> Iterator[str]:
        yield f"  {codes} {words}".rstrip()
        for old, new in in_words(self.workshop.cells[mutant.cell], mutant.edit):
            yield f"       {mutant.cell}: {new}   for   {old}"


def _numbers(value: Value) -> str:
    """Return what a value is, and its first numbers."""
    first = ", ".join(f"{number:.4f}" for number in numbers_in(value)[:_SHOWN])
    return f"{describe(value)}: {first}"
