"""An index that is too large: a size that is written as a number, or one that was taken from another axis."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.exception_patterns import match_message
from autograder.explain.explanation import Reading
from autograder.explain.syntax import last_assigned

if TYPE_CHECKING:
    from autograder.explain.place import Place
    from autograder.explain.student_code import Definition
    from autograder.results import StudentError

_MAKERS = ("zeros", "ones", "empty", "full", "rand", "randn")
NAME = "index_too_large"


def read_index(error: StudentError, place: Place) -> Reading | None:
    """Explain an index that is too large, if the source shows where the size or the index comes from."""
    found = match_message(NAME, error.message)
    if found is None or place.definition is None or place.function is None:
        return None
    index, axis, size = (int(group) for group in found.groups())
    says = f"There is no entry {index} here: there are {size}, counted from 0."
    look = _written(place, index, size) or _of_another_axis(place.definition, place, axis)
    return Reading(NAME, says, look, sure=True) if look else None


def _written(place: Place, index: int, size: int) -> str:
    """Name the line with a number that is the size, or that goes beyond it; empty if there is none."""
    assert place.function is not None
    others = {id(part) for node in ast.walk(place.function) for part in _no_sizes(node)}
    for node in ast.walk(place.function):
        if isinstance(node, ast.Constant) and type(node.value) is int and id(node) not in others:
            number = node.value
            if number > 1 and number in (size, index, index + 1):
                return f"The number {number} is written into the code in line {node.lineno}. Take it from a shape."
    return ""


def _no_sizes(node: ast.AST) -> list[ast.expr]:
    """Return the parts of a node whose numbers are no sizes: exponents, and arguments with a name."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return [node.right]
    return [node.value] if isinstance(node, ast.keyword) else []


def _of_another_axis(definition: Definition, place: Place, axis: int) -> str:
    """Say from where an axis got its size, and what the index counts; empty if the source does not show it."""
    assert place.function is not None
    for node in place.nodes or []:
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            continue
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        made = last_assigned(node.value.id, place.function)
        sizes = _sizes(made) if made is not None else []
        if len(sizes) <= axis or len(indices) <= axis:
            continue
        counted = _counted(indices[axis], place.function)
        if counted is None or made is None:
            continue
        kind = ("rows", "columns")[axis] if len(sizes) == 2 else f"entries along axis {axis}"  # noqa: PLR2004
        return (
            f"`{node.value.id}` gets as many {kind} in line {made.lineno} as `{definition.quote(sizes[axis])}` says. "
            f"`{definition.quote(indices[axis])}` counts `{definition.quote(counted)}`, so there must be one for each "
            "of these."
        )
    return ""


def _sizes(made: ast.expr) -> list[ast.expr]:
    """Return the sizes with which a function such as `torch.zeros` was called."""
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute):
        return []
    if made.func.attr not in _MAKERS or not made.args:
        return []
    first = made.args[0]
    return first.elts if isinstance(first, ast.Tuple | ast.List) else made.args


def _counted(index: ast.expr, function: ast.FunctionDef) -> ast.expr | None:
    """Return what a loop's variable counts: `keys` in `for j, key in enumerate(keys)`."""
    if not isinstance(index, ast.Name):
        return None
    for node in ast.walk(function):
        if not isinstance(node, ast.For) or not isinstance(node.iter, ast.Call):
            continue
        called, given = node.iter.func, node.iter.args
        if not isinstance(called, ast.Name) or len(given) != 1:
            continue
        target = node.target
        if called.id == "enumerate" and isinstance(target, ast.Tuple):
            target = target.elts[0]
        elif called.id != "range":
            continue
        if isinstance(target, ast.Name) and target.id == index.id:
            return given[0]
    return None
