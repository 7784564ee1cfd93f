"""Verify that the files of an assignment fit together: script, checks, cases and mistakes."""

from __future__ import annotations

import ast
import inspect
import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.assignment.authored import Definitions
from autograder.assignment.checks import DOCUMENTED, VALUE, probe_name
from autograder.errors import AssignmentError
from autograder.text import nearest

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from autograder.assignment.assignment import Source
    from autograder.assignment.checks import Check, Criterion
    from autograder.assignment.mistakes import Mistake
    from autograder.assignment.script import Cell

SETUP = "setup"


def verify(source: Source) -> None:
    """Raise AssignmentError, with file and line, for the first contradiction."""
    verifier = _Verifier(source)
    verifier.cells()
    verifier.steps()
    for check in source.assignment.checks:
        verifier.check(check)
    verifier.cases()
    for mistake in source.mistakes:
        verifier.mistake(mistake)
    verifier.remarks()


def notebook_ids(cell: Cell) -> tuple[str, ...]:
    """Return the ids that the notebook's cells get from one cell of the script."""
    if cell.kind == "step":
        return cell.id, f"check_{cell.id}"
    return (cell.id, f"{cell.id}-text") if cell.kind == "question" else (cell.id,)


@dataclass(frozen=True)
class _Verifier:
    source: Source

    @cached_property
    def _steps(self) -> list[str]:
        return [cell.id for cell in self.source.script if cell.kind == "step"]

    @cached_property
    def _checks(self) -> dict[str, Check]:
        return {check.name: check for check in self.source.assignment.checks}

    def _file(self, name: str) -> Definitions:
        return Definitions(self.source.assignment.folder / name)

    @cached_property
    def _tests(self) -> Definitions:
        return self._file(f"test_{self.source.assignment.name}.py")

    @cached_property
    def _cases(self) -> Definitions:
        return self._file("cases.py")

    @cached_property
    def _mistakes(self) -> Definitions:
        return self._file("mistakes.py")

    def cells(self) -> None:
        """Each cell of the notebook needs an id of its own."""
        folder = self.source.assignment.folder
        place = f"{folder.name}/{self.source.assignment.name}.py"
        if not self._steps:
            _refuse(place, "there is no step: no cell has a line `### BEGIN SOLUTION`.")
        lines: dict[str, int] = {SETUP: 0}
        for cell in self.source.script:
            for name in notebook_ids(cell):
                if name in lines:
                    first = f"line {lines[name]}" if lines[name] else "the notebook's first cell"
                    _refuse(
                        f"{place}, line {cell.line}",
                        f"the id {name!r} of this cell is that of {first} too. Give the step another name.",
                    )
                lines[name] = cell.line

    def steps(self) -> None:
        """Steps and checks have the same names, in the same order."""
        steps, checks = self._steps, [*self._checks]
        for name in steps:
            if name not in self._checks:
                _refuse(
                    self._tests.place(""),
                    f"the step `{name}` has no check: a function `test_{name}` under `@check`. "
                    + nearest(name, checks),
                )
        for name in checks:
            if name not in steps:
                _refuse(
                    self._tests.place(f"test_{name}"),
                    f"there is a check of `{name}`, and no such step. {nearest(name, steps)}",
                )
        if steps != checks:
            _refuse(
                self._tests.place(""),
                "the checks must stand in the order of the script's steps.\n"
                f"  steps:  {', '.join(steps)}\n  checks: {', '.join(checks)}",
            )

    def check(self, check: Check) -> None:
        """The points of a check make sense, and its probes can be called."""
        place = self._tests.place(f"test_{check.name}")
        names = Counter(criterion.name for criterion in check.criteria)
        if twice := [name for name, count in names.items() if count > 1]:
            _refuse(place, f"`{check.name}` has two criteria called {twice[0]!r}.")
        _refuse_points(place, check)
        if not 0 <= check.carried <= 1:
            _refuse(place, f"carried={check.carried:g} of `{check.name}` is a share from 0 to 1.")
        for criterion in check.criteria:
            for probe in criterion.all_probes:
                where = self._tests.place(probe_name(probe))
                _refuse_arguments(where, probe, ("student", "case"), "a probe")

    def cases(self) -> None:
        """Each step has drawn inputs, and documented ones where these give points."""
        book = self.source.cases
        for kind, functions in (("drawn", book.drawn), ("documented", book.documented)):
            for name, function in functions.items():
                place = self._cases.place(getattr(function, "__name__", ""))
                if name not in self._checks:
                    hint = nearest(name, self._checks)
                    _refuse(place, f"@{kind}({name!r}): there is no such step. {hint}")
                if kind == "drawn":
                    _refuse_arguments(place, function, ("draw",), "this function")
                else:
                    _refuse_arguments(place, function, ("reference", "numbers"), "this function")
        for name, check in self._checks.items():
            if name not in book.drawn:
                _refuse(self._cases.place(""), f"no inputs are drawn for `{name}`: add @drawn.")
            if check.has(DOCUMENTED) and name not in book.documented:
                _refuse(
                    self._cases.place(""),
                    f"`{name}` has points for documented numbers, and no @documented({name!r}).",
                )
            if name in book.documented and not check.has(DOCUMENTED):
                _refuse(
                    self._cases.place(getattr(book.documented[name], "__name__", "")),
                    f"@documented({name!r}): the check has no points for it. Add documented= to its @check.",
                )

    def mistake(self, mistake: Mistake) -> None:
        """A mistake replaces existing steps, and has texts for the student."""
        place = self._mistakes.place(mistake.name)
        cells = [*self.source.script, *self.source.restated]
        known = [cell.id for cell in cells if cell.kind == "step"]
        for name in mistake.replaced:
            if name not in known:
                _refuse(place, f"there is no step {name!r}. {nearest(name, known)}")
        for name in ("says", "look"):
            if not isinstance(getattr(mistake, name), str) or not getattr(mistake, name).strip():
                _refuse(place, f"{name}= must be a text for the student.")
        self._shown(mistake, place)
        _refuse_patterns(place, mistake)
        synonyms = {declared.name: declared.same_as for declared in self.source.mistakes}
        chain, other = [mistake.name], mistake.same_as
        while other:
            if other not in synonyms:
                _refuse(place, f"same_as={other!r}: no such mistake. {nearest(other, synonyms)}")
            if other in chain:
                _refuse(place, f"same_as leads in a circle: {', '.join([*chain, other])}.")
            chain.append(other)
            other = synonyms[other]

    def _shown(self, mistake: Mistake, place: str) -> None:
        uses = self.source.uses
        criteria = [
            criterion.name
            for check in self.source.assignment.checks
            if mistake.step in uses[check.name]
            for criterion in check.criteria
        ]
        if mistake.shows_in not in criteria:
            hint = nearest(mistake.shows_in, dict.fromkeys(criteria))
            _refuse(place, f"shows_in={mistake.shows_in!r}: no such criterion. {hint}")

    def remarks(self) -> None:
        """Each remark has a name and a text."""
        remarks = self.source.remarks
        if not isinstance(remarks, dict) or not all(
            isinstance(part, str) for entry in remarks.items() for part in entry
        ):
            _refuse(self._cases.place(""), "REMARKS must be a dict of names and texts.")


def _refuse(place: str, message: str) -> NoReturn:
    raise AssignmentError(f"{place}: {message}")


def _refuse_points(place: str, check: Check) -> None:
    for criterion in check.criteria:
        if not isinstance(criterion.points, int | float) or not math.isfinite(criterion.points):
            _refuse(place, f"the points of `{check.name}` ({criterion.name}) must be a number.")
    others = [criterion for criterion in check.criteria if criterion.name != VALUE]
    for criterion in others:
        if criterion.points < 0 or (not criterion.points and not criterion.remark):
            _refuse(
                place,
                f"`{check.name}` ({criterion.name}) has {criterion.points:g} points: give more than 0.",
            )
    if check.points <= 0:
        _refuse(place, f"`{check.name}` has {check.points:g} points: give more than 0.")
    if check.criterion(VALUE).points <= 0:
        _refuse(
            place,
            f"`{check.name}` has {check.points:g} points, and its other criteria take {_taken(others)}. The value "
            "needs some of them.",
        )


def _taken(others: list[Criterion]) -> str:
    return ", ".join(
        f"{criterion.points:g} ({criterion.name})" for criterion in others if criterion.points
    )


def _refuse_arguments(
    place: str, function: Callable[..., object], names: tuple[str, ...], role: str
) -> None:
    try:
        inspect.signature(function).bind(*names)
    except TypeError:
        arguments = ", ".join(inspect.signature(function).parameters)
        wanted = ", ".join(names)
        _refuse(place, f"the arguments are ({arguments}); {role} is called with ({wanted}).")


def _refuse_patterns(place: str, mistake: Mistake) -> None:
    for pattern in mistake.written:
        try:
            ast.parse(pattern, mode="eval")
        except (SyntaxError, ValueError):
            _refuse(place, f"written= has a pattern that is no Python expression: {pattern!r}.")
