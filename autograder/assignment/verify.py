"""Verify that the files of an assignment fit together: script, checks, cases and mistakes."""

from __future__ import annotations

import ast
import inspect
import keyword
import re
import sys
from typing import TYPE_CHECKING, Literal

from autograder.assignment.authored import Problem, refuse
from autograder.assignment.checks import DOCUMENTED, function_of, probe_name
from autograder.text import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from autograder.assignment.assignment import Source
    from autograder.assignment.checks import Check
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
    problems += _cases(source)
    for mistake in source.mistakes:
        problems += (Problem(_MISTAKES, mistake.name, words) for words in _mistake(source, mistake))
    refuse(folder, [*problems, *_remarks(source)])


def refuse_name(folder: Path) -> None:
    """Raise AssignmentError if the folder's name cannot be that of the students' module."""
    name = folder.name
    if not name.isidentifier() or keyword.iskeyword(name) or name in _OF_STUDENTS:
        words = "this must be a new name for a Python module: rename the folder and its files."
        refuse(folder.parent, [Problem(name, "", words)])


def refuse_imports(path: Path, tree: ast.Module) -> None:
    """Raise AssignmentError if a test file imports what students do not have, or torch outside its functions."""
    problems = []
    for node in ast.walk(tree):
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
        for root in (name.partition(".")[0] for name in names):
            if root not in _OF_STUDENTS or (root == "torch" and node in tree.body):
                where = "inside the probe" if root == "torch" else "only what students have"
                words = f"`{root}` is imported; import {where}."
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


def _unknown(kind: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    known = list(known)
    return (f"no {kind} {name!r}. {nearest(name, known)}" for name in names if name not in known)


def _not_python(source: str, mode: Literal["exec", "eval"]) -> Iterator[str]:
    try:
        ast.parse(source, mode=mode)
    except SyntaxError as error:
        yield f"not Python: {error.msg}."


def _cells(source: Source) -> Iterator[Problem]:
    """Each cell of the notebook needs an id of its own. A show cell is Python, but for its lines for IPython."""
    script = f"{source.assignment.name}.py"
    if not _step_names(source):
        yield Problem(script, "", "no step; a cell with a line `### BEGIN SOLUTION` is one.")
    ids = {SETUP}
    for cell in source.script:
        python = re.sub(r"^[ \t]*[%!].*$", "pass", cell.source, flags=re.MULTILINE)
        for words in _not_python(python, "exec") if cell.kind == "show" else ():
            yield Problem(script, "", words, cell.line)
        for name in notebook_ids(cell):
            if name in ids:
                yield Problem(script, "", f"a second cell {name!r}; rename the step.", cell.line)
        ids.update(notebook_ids(cell))


def _steps(source: Source) -> Iterator[Problem]:
    """Steps and checks have the same names, in the same order."""
    steps, file = _step_names(source), _tests(source)
    checks = [check.name for check in source.assignment.checks]
    for words in _unknown("check of the step", steps, checks):
        yield Problem(file, "", words)
    for name in checks:
        for words in _unknown("step", [name], steps):
            yield Problem(file, f"test_{name}", words)
    if steps != checks and set(steps) == set(checks):
        words = f"checks {', '.join(checks)}; give them the order of the steps {', '.join(steps)}."
        yield Problem(file, "", words)


def _check(source: Source, check: Check) -> Iterator[Problem]:
    """The points of a check make sense, and its probes can be called."""
    file, test = _tests(source), f"test_{check.name}"
    for words in _unknown("step", check.builds_on, _step_names(source)):
        yield Problem(file, test, words)
    names = [criterion.name for criterion in check.criteria]
    if len(names) > len({*names}):
        yield Problem(file, test, f"criteria {', '.join(names)}; give each a name of its own.")
    for criterion in check.criteria:
        points, slack = criterion.points, criterion.slack
        if points < 0 or slack <= 0 or not (points or criterion.remark):
            words = f"{criterion.name}: points={points:g}, slack={slack:g}; both must be above 0."
            yield Problem(file, test, words)
        for probe in criterion.all_probes:
            for words in _arguments(function_of(probe), ("student", "case")):
                yield Problem(file, probe_name(probe), words)


def _arguments(function: Callable[..., object], names: tuple[str, ...]) -> Iterator[str]:
    """Yield what is wrong if a function cannot be called with arguments of these names."""
    try:
        inspect.signature(function).bind(*names)
    except TypeError:
        arguments = ", ".join(inspect.signature(function).parameters)
        yield f"arguments ({arguments}); wanted ({', '.join(names)})."


def _cases(source: Source) -> Iterator[Problem]:
    """Each function of `cases.py` is for a step, and can be called; each step has drawn inputs.

    A corner says what is special. A step has documented inputs if and only if these give points.
    """
    cases, steps = source.cases, _step_names(source)
    for functions, arguments in (
        (cases.drawn, ("draw",)),
        (cases.corner, ("draw",)),
        (cases.documented, ("reference", "numbers")),
    ):
        for name, function in functions.items():
            for words in (*_unknown("step", [name], steps), *_arguments(function, arguments)):
                yield Problem(_CASES, _name_of(function), words)
    for name, function in cases.corner.items():
        if not cases.special[name].strip():
            yield Problem(_CASES, _name_of(function), 'says=""; say what is special.')
    for words in _unknown("@drawn for the step", steps, cases.drawn):
        yield Problem(_CASES, "", words)
    for check in source.assignment.checks:
        documented = cases.documented.get(check.name)
        if check.has(DOCUMENTED) != (documented is not None):
            words = f"`{check.name}` must have both @documented here and documented= in its @check, or none."
            yield Problem(_CASES, _name_of(documented), words)


def _name_of(function: object) -> str:
    return getattr(function, "__name__", "")


def _mistake(source: Source, mistake: Mistake) -> Iterator[str]:
    """A mistake replaces existing steps, shows in a criterion, and has texts for the student."""
    cells = [*source.script, *source.restated]
    known = [cell.id for cell in cells if cell.kind == "step"]
    yield from _unknown("step", mistake.replaced, known)
    texts: list[object] = [mistake.says, mistake.look, *mistake.inside]
    if len(texts) == 3 or not all(isinstance(text, str) and text.strip() for text in texts):  # noqa: PLR2004
        yield "says= and look= must be texts for the student, inside= two."
    criteria = [
        criterion.name
        for check in source.assignment.checks
        if mistake.step in source.uses[check.name]
        for criterion in check.criteria
    ]
    if mistake.step in known:
        yield from _unknown("criterion", [mistake.shows_in], dict.fromkeys(criteria))
    for pattern in mistake.written:
        yield from (f"written={pattern!r}: {words}" for words in _not_python(pattern, "eval"))
    synonyms = {declared.name: declared.same_as for declared in source.mistakes}
    other = mistake.same_as
    yield from _unknown("mistake", filter(None, [other]), synonyms)
    for _ in synonyms:
        other = synonyms.get(other, "")
    if other:
        yield "same_as= leads in a circle."


def _remarks(source: Source) -> Iterator[Problem]:
    """Remarks have texts. Holes are those of a step: for each kind of edit, why it is no fault."""
    for name, table, kind in (("REMARKS", source.remarks, str), ("HOLES", source.holes, dict)):
        if not isinstance(table, dict) or not all(isinstance(one, kind) for one in table.values()):
            yield Problem(_CASES, name, f"wanted {name} as a dict by name, each a {kind.__name__}.")
        elif kind is dict:
            for words in _unknown("step", table, _step_names(source)):
                yield Problem(_CASES, name, words)
