"""Verify that the files of an assignment fit together: script, checks, cases and mistakes."""

from __future__ import annotations

import ast
import inspect
import keyword
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING

from autograder.assignment.authored import Problem, refuse
from autograder.assignment.checks import DOCUMENTED, VALUE, function_of, probe_name
from autograder.errors import AssignmentError
from autograder.text import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from autograder.assignment.assignment import Source
    from autograder.assignment.checks import Check, Criterion
    from autograder.assignment.mistakes import Mistake
    from autograder.assignment.script import Cell

SETUP = "setup"
_OF_STUDENTS = sys.stdlib_module_names | {"autograder", "numpy", "pytest", "torch"}
_CASES, _MISTAKES = "cases.py", "mistakes.py"


def verify(source: Source) -> None:
    """Raise AssignmentError, with file and line, for each contradiction.

    Where the steps have no checks, nothing else is looked at.
    """
    folder = source.assignment.folder
    refuse(folder, _cells(source))
    refuse(folder, _steps(source))
    problems = [problem for check in source.assignment.checks for problem in _check(source, check)]
    problems += _drawn_cases(source)
    problems += _documented_cases(source)
    for mistake in source.mistakes:
        problems += _mistake(source, mistake)
    refuse(folder, [*problems, *_remarks(source)])


def refuse_name(folder: Path) -> None:
    """Raise AssignmentError if the folder's name cannot be that of the students' module."""
    name = folder.name
    if not name.isidentifier() or keyword.iskeyword(name) or name in _OF_STUDENTS:
        raise AssignmentError(
            f"{folder.parent.name}/{name}: students' files are a module of this name, so it has letters, digits and _ "
            "only, and is that of no other module. Rename the folder and its files."
        )


def refuse_imports(path: Path, tree: ast.Module) -> None:
    """Raise AssignmentError if a test file imports what students do not have, or torch outside its functions."""
    problems = []
    for node in ast.walk(tree):
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
        for root in (name.partition(".")[0] for name in names):
            words = f"students do not have `{root}`, and get this file. Do without it."
            if at_top := root == "torch" and node in tree.body:
                words = "this file is imported while the worker starts torch. Import torch inside the probe."
            if at_top or root not in _OF_STUDENTS:
                problems.append(Problem(path.name, "", words, getattr(node, "lineno", 0)))
    refuse(path.parent, problems)


def notebook_ids(cell: Cell) -> tuple[str, ...]:
    """Return the ids that the notebook's cells get from one cell of the script."""
    if cell.kind == "step":
        return cell.id, f"check_{cell.id}"
    return (cell.id, f"{cell.id}-text") if cell.kind == "question" else (cell.id,)


def _step_names(source: Source) -> list[str]:
    return [cell.id for cell in source.script if cell.kind == "step"]


def _tests(source: Source) -> str:
    return f"test_{source.assignment.name}.py"


def _cells(source: Source) -> Iterator[Problem]:
    """Each cell of the notebook needs an id of its own."""
    script = f"{source.assignment.name}.py"
    if not _step_names(source):
        yield Problem(script, "", "there is no step: no cell has a line `### BEGIN SOLUTION`.")
    lines: dict[str, int] = {SETUP: 0}
    for cell in source.script:
        yield from _of_show_cell(script, cell) if cell.kind == "show" else ()
        for name in notebook_ids(cell):
            if name in lines:
                first = f"line {lines[name]}" if lines[name] else "the notebook's first cell"
                words = f"the id {name!r} of this cell is that of {first} too. Give the step another name."
                yield Problem(script, "", words, cell.line)
            lines[name] = cell.line


def _of_show_cell(script: str, cell: Cell) -> Iterator[Problem]:
    """A show cell is Python, but for its lines for IPython. No build runs it."""
    try:
        ast.parse(re.sub(r"^[ \t]*[%!].*$", "pass", cell.source, flags=re.MULTILINE))
    except SyntaxError as error:
        line = cell.line + (error.lineno or 1) - 1
        yield Problem(script, "", f"this is not Python: {error.msg}.", line)


def _steps(source: Source) -> Iterator[Problem]:
    """Steps and checks have the same names, in the same order."""
    steps, file = _step_names(source), _tests(source)
    checks = [check.name for check in source.assignment.checks]
    for name in steps:
        if name not in checks:
            words = f"the step `{name}` has no check: a function `test_{name}` under `@check`. "
            yield Problem(file, "", words + nearest(name, checks))
    for name in checks:
        if name not in steps:
            words = f"there is a check of `{name}`, and no such step. {nearest(name, steps)}"
            yield Problem(file, f"test_{name}", words)
    if steps != checks and set(steps) == set(checks):
        words = (
            "the checks must stand in the order of the script's steps.\n"
            f"  steps:  {', '.join(steps)}\n  checks: {', '.join(checks)}"
        )
        yield Problem(file, "", words)


def _check(source: Source, check: Check) -> Iterator[Problem]:
    """The points of a check make sense, and its probes can be called."""
    file, test = _tests(source), f"test_{check.name}"
    names = Counter(criterion.name for criterion in check.criteria)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        yield Problem(file, test, f"`{check.name}` has two criteria called {twice[0]!r}.")
    for words in () if twice else _points(check):
        yield Problem(file, test, words)
    for name in check.builds_on:
        if name not in (steps := _step_names(source)):
            words = f"builds_on=: there is no step {name!r}. {nearest(name, steps)}"
            yield Problem(file, test, words)
    for criterion in check.criteria:
        if criterion.slack <= 0:
            yield Problem(file, test, f"slack={criterion.slack:g} must be above 0.")
        for probe in criterion.all_probes:
            for words in _arguments(function_of(probe), ("student", "case"), "a probe"):
                yield Problem(file, probe_name(probe), words)


def _points(check: Check) -> Iterator[str]:
    others = [criterion for criterion in check.criteria if criterion.name != VALUE]
    for criterion in others:
        if criterion.points < 0 or (not criterion.points and not criterion.remark):
            yield f"`{check.name}` ({criterion.name}) has {criterion.points:g} points: give more than 0."
    if check.points <= 0:
        yield f"`{check.name}` has {check.points:g} points: give more than 0."
    elif check.criterion(VALUE).points <= 0:
        yield (
            f"`{check.name}` has {check.points:g} points, and its other criteria take {_taken(others)}. The value "
            "needs some of them."
        )


def _taken(others: list[Criterion]) -> str:
    return ", ".join(
        f"{criterion.points:g} ({criterion.name})" for criterion in others if criterion.points
    )


def _arguments(function: Callable[..., object], names: tuple[str, ...], role: str) -> Iterator[str]:
    """Yield what is wrong if a function cannot be called with arguments of these names."""
    try:
        inspect.signature(function).bind(*names)
    except TypeError:
        arguments = ", ".join(inspect.signature(function).parameters)
        yield f"the arguments are ({arguments}); {role} is called with ({', '.join(names)})."


def _drawn_cases(source: Source) -> Iterator[Problem]:
    """Each step has drawn inputs; a corner says what is special."""
    drawn, corner = source.cases.drawn, source.cases.corner
    yield from _functions(source, "drawn", drawn, ("draw",))
    yield from _functions(source, "corner", corner, ("draw",))
    for name, function in corner.items():
        if not source.cases.special[name].strip():
            words = (
                f"@corner({name!r}): `says` is empty. Say what is special, such as with one token."
            )
            yield Problem(_CASES, _name_of(function), words)
    for name in _step_names(source):
        if name not in drawn:
            yield Problem(_CASES, "", f"no inputs are drawn for `{name}`: add @drawn.")


def _documented_cases(source: Source) -> Iterator[Problem]:
    """A step has documented inputs if and only if these give points."""
    documented = source.cases.documented
    yield from _functions(source, "documented", documented, ("reference", "numbers"))
    for check in source.assignment.checks:
        name, function = check.name, documented.get(check.name)
        if check.has(DOCUMENTED) and function is None:
            words = f"`{name}` has points for documented numbers, and no @documented({name!r})."
            yield Problem(_CASES, "", words)
        if function is not None and not check.has(DOCUMENTED):
            words = f"@documented({name!r}): the check has no points for it. Add documented= to its @check."
            yield Problem(_CASES, _name_of(function), words)


def _functions(
    source: Source,
    kind: str,
    functions: Mapping[str, Callable[..., object]],
    arguments: tuple[str, ...],
) -> Iterator[Problem]:
    """Each function of `cases.py` is for a step, and can be called."""
    steps = _step_names(source)
    for name, function in functions.items():
        if name not in steps:
            words = f"@{kind}({name!r}): there is no such step. {nearest(name, steps)}"
            yield Problem(_CASES, _name_of(function), words)
        for words in _arguments(function, arguments, "this function"):
            yield Problem(_CASES, _name_of(function), words)


def _name_of(function: object) -> str:
    return getattr(function, "__name__", "")


def _mistake(source: Source, mistake: Mistake) -> Iterator[Problem]:
    """A mistake replaces existing steps, shows in a criterion, and has texts for the student."""
    cells = [*source.script, *source.restated]
    known = [cell.id for cell in cells if cell.kind == "step"]
    problems = [
        f"there is no step {name!r}. {nearest(name, known)}"
        for name in mistake.replaced
        if name not in known
    ]
    problems += [
        f"{name}= must be a text for the student."
        for name, text in (("says", mistake.says), ("look", mistake.look))
        if not isinstance(text, str) or not text.strip()
    ]
    if mistake.inside and [type(text) for text in mistake.inside] != [str, str]:
        problems.append("inside= must be two texts: what is said, and where to look.")
    criteria = [
        criterion.name
        for check in source.assignment.checks
        if mistake.step in source.uses[check.name]
        for criterion in check.criteria
    ]
    if mistake.step in known and mistake.shows_in not in criteria:
        hint = nearest(mistake.shows_in, dict.fromkeys(criteria))
        problems.append(f"shows_in={mistake.shows_in!r}: no such criterion. {hint}")
    problems += [
        f"written= has a pattern that is no Python expression: {pattern!r}."
        for pattern in mistake.written
        if not _is_expression(pattern)
    ]
    problems += _synonyms(source, mistake)
    return (Problem(_MISTAKES, mistake.name, words) for words in problems)


def _is_expression(pattern: str) -> bool:
    try:
        ast.parse(pattern, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _synonyms(source: Source, mistake: Mistake) -> Iterator[str]:
    synonyms = {declared.name: declared.same_as for declared in source.mistakes}
    chain, other = [mistake.name], mistake.same_as
    while other:
        if other not in synonyms:
            yield f"same_as={other!r}: no such mistake. {nearest(other, synonyms)}"
            return
        if other in chain:
            yield f"same_as leads in a circle: {', '.join([*chain, other])}."
            return
        chain.append(other)
        other = synonyms[other]


def _remarks(source: Source) -> Iterator[Problem]:
    """Remarks have texts. Holes are those of a step: for each kind of edit, why it is no fault."""
    kinds = (("REMARKS", source.remarks, str, "text"), ("HOLES", source.holes, dict, "dict"))
    for name, table, kind, word in kinds:
        if not isinstance(table, dict) or not all(isinstance(one, kind) for one in table.values()):
            yield Problem(_CASES, name, f"{name} must be a dict by name, each with a {word}.")
        elif name == "HOLES" and (unknown := [*(table.keys() - {*_step_names(source)})]):
            words = f"HOLES: there is no step {unknown[0]!r}. {nearest(unknown[0], _step_names(source))}"
            yield Problem(_CASES, name, words)
