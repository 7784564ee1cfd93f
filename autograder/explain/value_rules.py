"""Exceptions of values that do not fit, explained from the student's source."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.class_slips import forward_misplaced
from autograder.explain.raised import Raised, has, message
from autograder.explain.rules import Finding, Rules, finding, guess
from autograder.explain.slips import (
    foreign_names,
    none_from_a_helper,
    number_with_comma,
    self_left_out,
    trailing_comma,
    variable_for_an_argument,
)
from autograder.explain.syntax import last_assigned

if TYPE_CHECKING:
    from autograder.explain.place import Place
    from autograder.explain.student_code import Definition

SLIPS = Rules[Raised]()
RULES = Rules[Raised]()
ASSERTS = Rules[Raised]()

# What a name or a call is missing has explanations of its own.
_OF_NUMBERS = ("RuntimeError", "ValueError", "TypeError", "IndexError", "KeyError")
_OF_VALUES = (*_OF_NUMBERS, "AttributeError")
_NONE = r"\bNoneType\b|does not have enough dimensions \(has 0"
# An axis that is not there, or another number of axes than a function needs.
_AXES = message(
    r"Dimension out of range|\bout of bounds for array of dimension|\baxes don't match array"
    r"|\btoo many indices for|\bdoes not match the (?:length of the desired ordering of|number of) dimensions"
    r"|\bmust be a 3D tensor"
)
_MAKERS = ("zeros", "ones", "empty", "full", "rand", "randn")


@SLIPS.when(message("", *_OF_VALUES))
def decimal_comma(raised: Raised) -> Finding | None:
    return number_with_comma(raised.place.definition) if raised.place.definition else None


@SLIPS.when(message(_NONE, *_OF_VALUES))
def none_of_a_helper(raised: Raised) -> Finding | None:
    place = raised.place
    if place.definition is None or place.function is None:
        return None
    return none_from_a_helper(place.function, place.nodes or [], place.code)


@SLIPS.when(message("", *_OF_VALUES))
def tuple_of_one(raised: Raised) -> Finding | None:
    definition = raised.place.definition
    if definition is None or "tuple" not in raised.error.message or _NO_NONE(raised) is None:
        return None
    return trailing_comma(definition)


@SLIPS.when(message("", *_OF_NUMBERS))
def variable_of_the_file(raised: Raised) -> Finding | None:
    """Notice a variable of the file that the function uses in place of an argument or an attribute."""
    place = raised.place
    if place.definition is None or place.function is None or _NO_NONE(raised) is None:
        return None
    found = variable_for_an_argument(place.definition, place.code)
    if isinstance(place.definition.node, ast.ClassDef):
        found = found or self_left_out(place.definition, place.code)
    return found or _variable_in_the_statement(raised, place, place.function)


_NO_NONE = message(rf"\A(?!.*(?:{_NONE}))")


def _variable_in_the_statement(
    raised: Raised, place: Place, function: ast.FunctionDef
) -> Finding | None:
    """Notice a variable of the file in the statement that failed, unless the exception is about axes."""
    foreign = [name for name in foreign_names(function, place.code) if name in place.read]
    if not foreign or _AXES(raised) is not None:
        return None
    facts = {"used": foreign[0], "line": place.code.variables[foreign[0]][1]}
    return guess("variable_for_an_argument.beside", function=function.name, **facts)


@RULES.when(message(r'Module \[(?P<name>\w+)\] is missing the required "forward" function'))
def without_forward(raised: Raised, name: str) -> Finding | None:
    definition = raised.place.code.definition(name)
    return forward_misplaced(definition, raised.place.code) if definition else None


@RULES.when(
    message(r"index (?P<index>\d+) is out of bounds for (?:dimension|axis) (?P<axis>\d+) with size (?P<size>\d+)")
)  # fmt: skip
def index_too_large(raised: Raised, index: str, axis: str, size: str) -> Finding | None:
    """Explain an index that is too large, if the source shows where the size or the index comes from."""
    place = raised.place
    if place.definition is None or place.function is None:
        return None
    written = _size_as_number(place.function, int(index), int(size))
    if written is not None:
        place_of_it = {"number": written.value, "line": written.lineno}
        return finding("index_too_large.number", index=index, size=size, **place_of_it)
    other = _size_of_another_axis(place.definition, place, place.function, int(axis))
    key = "index_too_large.of_another_axis"
    return finding(key, index=index, size=size, **other) if other else None


def _size_as_number(function: ast.FunctionDef, index: int, size: int) -> ast.Constant | None:
    """Return a number that is the size, or that goes beyond it; None if there is none."""
    others = {id(part) for node in ast.walk(function) for part in _no_sizes(node)}
    for node in ast.walk(function):
        number = node.value if isinstance(node, ast.Constant) and id(node) not in others else 0
        if type(number) is int and number > 1 and number in (size, index, index + 1):
            return node if isinstance(node, ast.Constant) else None
    return None


def _no_sizes(node: ast.AST) -> list[ast.expr]:
    """Return the parts of a node whose numbers are no sizes: exponents, and arguments with a name."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return [node.right]
    return [node.value] if isinstance(node, ast.keyword) else []


def _size_of_another_axis(
    definition: Definition, place: Place, function: ast.FunctionDef, axis: int
) -> dict[str, object]:
    """Return from where an axis got its size, and what the index counts; empty if the source does not show it."""
    for node in place.nodes or []:
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            continue
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        made = last_assigned(node.value.id, function)
        sizes = _sizes(made) if made is not None else []
        if made is None or len(sizes) <= axis or len(indices) <= axis:
            continue
        counted = _counted(indices[axis], function)
        if counted is None:
            continue
        matrix = len(sizes) == 2  # noqa: PLR2004 - rows and columns
        return {
            "made": node.value.id,
            "kind": ("rows", "columns")[axis] if matrix else f"entries along axis {axis}",
            "line": made.lineno,
            "sizes": definition.quote(sizes[axis]),
            "counter": definition.quote(indices[axis]),
            "counted": definition.quote(counted),
        }
    return {}


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


@ASSERTS.when(message("", "AssertionError"))
def own_assert(raised: Raised) -> Finding | None:
    shown = has(ast.Assert)(raised.place.nodes or [])
    return finding("assert_fails") if shown else None
