"""The hints of the steps, from `hints.toml`: three levels, and two sentences for a step that is right.

[scale_scores]
nudge = "..."      # level 1
where = "..."      # level 2: where to look
example = "..."    # level 3: the same on other numbers
why = "..."        # why it works, told after a pass
further = "..."    # a question that goes further
"""

from __future__ import annotations

import ast
import re
import tomllib
from typing import TYPE_CHECKING

from autograder.assignment.authored import Problem
from autograder.errors import AssignmentError
from autograder.text import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from autograder.assignment.assignment import Source

HINTS = "hints.toml"
LEVELS = ("nudge", "where", "example")
PARTS = (*LEVELS, "why", "further")

_CODE = re.compile(r"`([^`]+)`")
_NUMBER = re.compile(r"(?<!\w)\d[\w.]*")
_MODULES = ("math", "nn", "np", "torch")


def read_hints(path: Path, text: str) -> dict[str, dict[str, str]]:
    """Return the hints by step. Raises AssignmentError if the file is no TOML, or is not tables of texts."""
    name = f"{path.parent.name}/{path.name}"
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise AssignmentError(f"{name}: this is not TOML: {error}.") from None
    for step, hints in content.items():
        if not isinstance(hints, dict) or not all(isinstance(one, str) for one in hints.values()):
            raise AssignmentError(f'{name}: `{step}` must be a table of texts: nudge = "...".')
    return {
        step: {part: one.strip() for part, one in hints.items()} for step, hints in content.items()
    }


def hint_problems(source: Source) -> Iterator[Problem]:
    """Yield what must change in the hints before they are released."""
    steps = {check.name: check.hints for check in source.assignment.checks}
    for step in source.hints.keys() - steps.keys():
        words = f"there are hints for `{step}`, and no such step. {nearest(step, steps)}"
        yield Problem(HINTS, step, words)
    for step, hints in steps.items():
        if lacking := [part for part in PARTS if not hints.get(part)]:
            words = f'`{step}` has no {", ".join(lacking)}. Write each as {lacking[0]} = "..." below [{step}].'
            yield Problem(HINTS, step, words)
        if unknown := [part for part in hints if part not in PARTS]:
            words = f"`{step}` has {', '.join(unknown)}, which is none of {', '.join(PARTS)}."
            yield Problem(HINTS, step, words)
    yield from _given_away(source, steps)


def _given_away(source: Source, steps: Mapping[str, Mapping[str, str]]) -> Iterator[Problem]:
    """Yield the code in hints that a solution has too, whatever its names and numbers are."""
    cells = (cell.source for cell in source.script if cell.kind == "step")
    solved = {_pattern(value): ast.unparse(value) for cell in cells for value in _computed(cell)}
    for step, hints in steps.items():
        for part in LEVELS:
            for code in _CODE.findall(hints.get(part, "")):
                for value in _values(code):
                    if _pattern(value) in solved:
                        words = (
                            f"`{ast.unparse(value)}` in {part} of `{step}` is "
                            f"`{solved[_pattern(value)]}` of the solution, with other names at most."
                        )
                        yield Problem(HINTS, step, words)


def _computed(cell: str) -> Iterator[ast.expr]:
    """Yield what the statements of a step compute, but for names, constants and attributes."""
    for node in ast.walk(ast.parse(cell)):
        value = getattr(node, "value", None)
        if isinstance(node, ast.stmt) and isinstance(value, ast.expr):
            parts = value.elts if isinstance(value, ast.Tuple) else [value]
            plain = (ast.Name, ast.Constant, ast.Attribute)
            yield from (part for part in parts if not isinstance(part, plain))


def _values(code: str) -> Iterator[ast.expr]:
    """Yield all expressions in code, but for slices, which are none alone; none if it is not Python."""
    try:
        tree = ast.parse(code.strip())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        parts = getattr(node, "elts", [node])
        if isinstance(node, ast.expr) and not any(isinstance(one, ast.Slice) for one in parts):
            yield node


def _pattern(value: ast.expr) -> str:
    """Return an expression without its names and numbers, but for the names of what is called."""
    copy = ast.parse(ast.unparse(value), mode="eval").body
    called = {id(node.func) for node in ast.walk(copy) if isinstance(node, ast.Call)}
    for node in ast.walk(copy):
        if isinstance(node, ast.Name) and id(node) not in called and node.id not in _MODULES:
            node.id = "_"
    return _NUMBER.sub("_", ast.unparse(copy))
