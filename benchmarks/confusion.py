"""Confusion matrix of the known mistakes: which mistakes the grader names.

Put each wrong function into the reference, and compare the mistakes that the grader names with the
mistake put in: in the mistake's own step and in each step that calls that step.

    python -m benchmarks.confusion [--assignment NAME] [--seed N] [--write]
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.assignment.checks import DOCUMENTED, VALUE
from autograder.assignment.source import load_source
from autograder.compare import agrees
from autograder.exam.draw import draw_exam
from autograder.exam.reference import observe
from autograder.grading.grader import Grader
from autograder.testing import InProcessSession, open_in_process

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from autograder.assignment.checks import Check
    from autograder.assignment.mistakes import Mistake
    from autograder.assignment.source import Source
    from autograder.exam.questions import Exam, Question
    from autograder.results import CheckResult
    from autograder.values.values import Value

ROOT = Path(__file__).parents[1]
SUMMARY = Path(__file__).with_suffix(".txt")
ASSIGNMENTS = ("self_attention", "numpy_attention", "scaled_dot_product", "causal_multihead")
# How the grader named a mistake that shows.
EXACTLY = "exactly"
SYNONYM = "by a synonym"
GROUP = "in a group"
ANOTHER = "another"
NOTHING = "nothing"
NAMED = (EXACTLY, SYNONYM, GROUP, ANOTHER, NOTHING)


@dataclass(frozen=True)
class Row:
    """The mistakes that the grader named in one step, for the mistake put in."""

    made: str
    step: str
    verdict: str
    named: tuple[str, ...] = ()


class Confusion:
    """Test of the grader on one assignment's known mistakes."""

    def __init__(self, source: Source, seed: int) -> None:
        self.source = source
        self.exam: Exam = draw_exam(source, seed)
        self.checks = {check.name: check for check in source.assignment.checks}
        self.same = {one.name: one.same_as for one in source.mistakes if one.same_as}
        self._module = source.reference({})
        self._right = dict(vars(self._module))
        self._session = open_in_process(self.exam, "")
        vars(self._session.module).update(self._right)

    def rows(self) -> Iterator[Row]:
        """Yield a row for each mistake, in each step in which the mistake shows."""
        for mistake in self.source.mistakes:
            for check in self._concerned(mistake):
                if self._shows(check, mistake):
                    result = self._grade(check, mistake)
                    verdict = self._verdict(mistake, result)
                    yield Row(mistake.name, check.name, verdict, result.mistakes)

    def silent(self) -> list[str]:
        """Return the mistakes that never show: they raise or answer correctly on every question."""
        return [
            mistake.name
            for mistake in self.source.mistakes
            if not any(self._shows(check, mistake) for check in self._concerned(mistake))
        ]

    def _concerned(self, mistake: Mistake) -> list[Check]:
        return [
            check
            for name, check in self.checks.items()
            if mistake.step in self.source.uses[name]
            and any(criterion.name == mistake.shows_in for criterion in check.criteria)
            and (
                mistake.shows_in == VALUE or mistake.step not in self.checks or mistake.step == name
            )
        ]

    def _shows(self, check: Check, mistake: Mistake) -> bool:
        """Return whether the mistake gives a wrong answer, without raising, where it should show."""
        criterion = check.criterion(mistake.shows_in)
        question = self.exam.questions_for(check, criterion)[0]
        seen = self._answer(check, question, mistake)
        right = self._answer(check, question)
        if seen is None or right is None:
            return False
        return mistake.shows_in == DOCUMENTED or not agrees(right, seen)

    def _answer(
        self, check: Check, question: Question, mistake: Mistake | None = None
    ) -> Value | None:
        probe = check.criterion(question.criterion).probes[0]
        space = vars(self._module)
        try:
            space.update(mistake.replaced if mistake else {})
            return observe(probe, self._module, question.inputs)
        except Exception:  # noqa: BLE001 - a raised exception is not an answer
            return None
        finally:
            space.update(self._right)

    def _grade(self, check: Check, mistake: Mistake) -> CheckResult:
        """Grade the whole check on a submission with this mistake."""
        session: InProcessSession = self._session
        space = vars(session.module)
        space.update(mistake.replaced)
        # The classes look up their steps in the module that defines them.
        inner = vars(self._module)
        try:
            inner.update(mistake.replaced)
            return Grader(self.exam, session, explain_fully=False).check(check)
        finally:
            space.update(self._right)
            inner.update(self._right)

    def _verdict(self, made: Mistake, result: CheckResult) -> str:
        named = set(self._without_consequences(made, result))
        if not named:
            return NOTHING
        if named == {made.name}:
            return EXACTLY
        effects = {self._effect(name) for name in named}
        if effects == {self._effect(made.name)}:
            return SYNONYM
        return GROUP if self._effect(made.name) in effects else ANOTHER

    def _without_consequences(self, made: Mistake, result: CheckResult) -> list[str]:
        """Return the named mistakes without those that follow from another one.

        For example, frozen matrices get no gradient in another criterion. Names that no author wrote are kept.
        """
        by_name = {one.name: one for one in self.source.mistakes}
        check = self.checks[result.step]
        kept = []
        for name in result.mistakes:
            other = by_name.get(name)
            if other is not None and other.shows_in != made.shows_in:
                question = self.exam.questions_for(check, check.criterion(other.shows_in))[0]
                seen = self._answer(check, question, made)
                alike = self._answer(check, question, other)
                if seen is not None and alike is not None and agrees(alike, seen):
                    continue
            kept.append(name)
        return kept

    def _effect(self, name: str) -> str:
        while name in self.same:
            name = self.same[name]
        return name


def _table(rows: list[Row], verdicts: Iterable[str]) -> str:
    counts = Counter(row.verdict for row in rows)
    return ", ".join(f"{verdict} {counts[verdict]}" for verdict in verdicts if counts[verdict])


def _share(rows: list[Row], *verdicts: str) -> str:
    told = [row for row in rows if row.verdict in NAMED]
    found = [row for row in told if row.verdict in verdicts]
    return f"{len(found)} of {len(told)} ({100 * len(found) / max(1, len(told)):.1f} %)"


def report(confusion: Confusion) -> tuple[list[str], list[str]]:
    """Return the lines of the summary, and one line for each unexpected row."""
    rows = list(confusion.rows())
    name = confusion.source.assignment.name
    silent = confusion.silent()
    lines = [
        f"{name}: {len(confusion.source.mistakes)} known mistakes, seen in {len(rows)} places",
        f"  {_table(rows, NAMED)}",
        f"  named exactly or by a declared synonym: {_share(rows, EXACTLY, SYNONYM)}",
    ]
    if silent:
        lines.append(f"  show in no drawn case, as they raise there: {', '.join(silent)}")
    return lines, _odd(rows)


def _odd(rows: list[Row]) -> list[str]:
    return [
        f"    {row.made} in {row.step}: {row.verdict} ({', '.join(row.named) or '-'})"
        for row in rows
        if row.verdict in (GROUP, ANOTHER, NOTHING)
    ]


@click.command()
@click.option("--assignment", type=click.Choice(ASSIGNMENTS), multiple=True)
@click.option("--seed", default=1, help="Of the run whose drawn cases are asked.")
@click.option("--write", is_flag=True, help=f"Keep the summary in {SUMMARY.name}.")
def main(assignment: tuple[str, ...], seed: int, write: bool) -> None:
    """Print what the grader names for each known mistake."""
    kept = [
        f"The tutor's confusion matrix, seed {seed}. Made by `python -m benchmarks.confusion --write`."
    ]
    for name in assignment or ASSIGNMENTS:
        started = time.monotonic()
        confusion = Confusion(load_source(ROOT / "solutions" / name), seed)
        lines, odd = report(confusion)
        kept += ["", *lines]
        print("\n".join(lines + odd))
        print(f"  {time.monotonic() - started:.1f} s")
    if write:
        SUMMARY.write_text("\n".join(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
