"""Verify that the files of an assignment fit together: script, checks, cases and mistakes.

What running them shows is left to that: `authored` says where an exception came from, and `release/trial.py` what the
reference, the stub and each mistake earn.
"""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING

from autograder.assignment.authored import Problem, refuse
from autograder.assignment.checks import DOCUMENTED
from autograder.assignment.libraries import PACKAGES, may_import
from autograder.python_source import packages_imported
from autograder.text import nearest

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from autograder.assignment.assignment import Source

_OF_CHECKS = ("autograder", "pytest", *PACKAGES)
_CASES, _MISTAKES = "cases.py", "mistakes.py"


def verify(source: Source) -> None:
    """Raise AssignmentError, with file and line, for each contradiction.

    Where the steps have no checks, nothing else is looked at.
    """
    folder = source.assignment.folder
    refuse(folder, _steps(source))
    refuse(folder, [*_checks(source), *_cases(source), *_mistakes(source)])


def refuse_name(folder: Path) -> None:
    """Raise AssignmentError if the folder's name cannot be that of the students' module."""
    name = folder.name
    if not name.isidentifier() or keyword.iskeyword(name) or may_import(name, _OF_CHECKS):
        words = "this must be a new name for a Python module: rename the folder and its files."
        refuse(folder.parent, [Problem(name, "", words)])


def refuse_imports(path: Path, tree: ast.Module) -> None:
    """Raise AssignmentError if a test file imports what students do not have, or torch outside its functions."""
    problems = []
    for node, root in packages_imported(tree):
        if not may_import(root, _OF_CHECKS) or (root == "torch" and node in tree.body):
            words = (
                f"`{root}` is imported; import only what students have, and torch inside the probe."
            )
            problems.append(Problem(path.name, "", words, node.lineno))
    refuse(path.parent, problems)


def _unknown(
    file: str, about: str, kind: str, names: Iterable[str], known: Iterable[str]
) -> Iterator[Problem]:
    """Yield each name that is not known; `about` is the function that names it."""
    known = list(known)
    for name in names:
        if name not in known:
            yield Problem(file, about, f"no {kind} {name!r}. {nearest(name, known)}")


def _step_names(source: Source) -> list[str]:
    return [cell.id for cell in source.script if cell.kind == "step"]


def _tests(source: Source) -> str:
    return f"test_{source.assignment.name}.py"


def _steps(source: Source) -> Iterator[Problem]:
    """Steps and checks have the same names, in the same order."""
    steps = _step_names(source)
    checks = [check.name for check in source.assignment.checks]
    if not steps:
        words = "no step; a cell with a line `### BEGIN SOLUTION` is one."
        yield Problem(f"{source.assignment.name}.py", "", words)
    elif steps != checks:
        found, wanted = ", ".join(checks) or "nothing", ", ".join(steps)
        words = f"checks of {found}; wanted one for each step, in this order: {wanted}."
        yield Problem(_tests(source), "", words)


def _checks(source: Source) -> Iterator[Problem]:
    """The points of a check make sense, and the steps that it builds on are there."""
    for check in source.assignment.checks:
        file, test = _tests(source), f"test_{check.name}"
        yield from _unknown(file, test, "step", check.builds_on, _step_names(source))
        for criterion in check.criteria:
            points, slack = criterion.points, criterion.slack
            if points < 0 or slack <= 0 or not (points or criterion.remark):
                words = (
                    f"{criterion.name}: points={points:g}, slack={slack:g}; both must be above 0."
                )
                yield Problem(file, test, words)


def _cases(source: Source) -> Iterator[Problem]:
    """Each step has drawn inputs. It has documented ones if and only if these give points."""
    cases, steps = source.cases, _step_names(source)
    for functions in (cases.drawn, cases.corner, cases.documented):
        for name, function in functions.items():
            yield from _unknown(_CASES, function.__name__, "step", [name], steps)
    yield from _unknown(_CASES, "", "@drawn for the step", steps, cases.drawn)
    for check in source.assignment.checks:
        if check.has(DOCUMENTED) != (check.name in cases.documented):
            words = f"`{check.name}` must have both @documented here and documented= in its @check, or none."
            yield Problem(_CASES, "", words)


def _mistakes(source: Source) -> Iterator[Problem]:
    """A mistake replaces existing steps, shows in a criterion, and has texts for the student."""
    cells = [*source.script, *source.restated]
    known = [cell.id for cell in cells if cell.kind == "step"]
    for mistake in source.mistakes:
        named = {**mistake.replaced, mistake.task: None}
        yield from _unknown(_MISTAKES, mistake.name, "step", named, known)
        criteria = {
            criterion.name: None
            for check in source.assignment.checks
            if mistake.step in source.uses[check.name]
            for criterion in check.criteria
        }
        if mistake.step in known:
            yield from _unknown(_MISTAKES, mistake.name, "criterion", [mistake.shows_in], criteria)
        if len(mistake.inside) not in (0, 2) or not (mistake.says.strip() and mistake.look.strip()):
            words = "says= and look= must be texts for the student, inside= two."
            yield Problem(_MISTAKES, mistake.name, words)
