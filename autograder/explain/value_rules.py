"""Exceptions of values that do not fit, explained from the student's source."""

from __future__ import annotations

import ast

from autograder.explain.class_rules import forward_misplaced
from autograder.explain.raised import Raised, message
from autograder.explain.rules import Finding, Rules, finding, guess
from autograder.explain.slips import (
    NO_NONE,
    NONE,
    OF_NUMBERS,
    OF_VALUES,
    foreign_names,
    none_from_a_helper,
)
from autograder.explain.syntax import called, last_assigned, name_of, nodes

SLIPS = Rules[Raised]()
RULES = Rules[Raised]()

# An axis that is not there, or another number of axes than a function needs.
_AXES = message(
    r"Dimension out of range|\bout of bounds for array of dimension|\baxes don't match array"
    r"|\btoo many indices for|\bdoes not match the (?:length of the desired ordering of|number of) dimensions"
    r"|\bmust be a 3D tensor"
)
_MAKERS = ("zeros", "ones", "empty", "full", "rand", "randn")


@SLIPS.when(message(NONE, *OF_VALUES))
def none_of_a_helper(raised: Raised) -> Finding | None:
    if raised.function is None:
        return None
    return none_from_a_helper(raised.function, raised.nodes or [], raised.code)


@SLIPS.when(message(NO_NONE, *OF_NUMBERS))
def variable_in_the_statement(raised: Raised) -> Finding | None:
    """Notice a variable of the file in the statement that failed, unless the exception is about axes."""
    function, variables = raised.function, raised.code.variables
    foreign = foreign_names(function, raised.code) if function else []
    used = next((name for name in foreign if name in raised.read), None)
    if function is None or used is None or _AXES(raised) is not None:
        return None
    facts = {"used": used, "line": variables[used][1]}
    return guess("variable_for_an_argument.beside", function=function.name, **facts)


@RULES.when(message(r'Module \[(?P<name>\w+)\] is missing the required "forward" function'))
def without_forward(raised: Raised, name: str) -> Finding | None:
    definition = raised.code.definition(name)
    return forward_misplaced(definition) if definition else None


_TOO_LARGE = message(
    r"index (?P<index>\d+) is out of bounds for (?:dimension|axis) (?P<axis>\d+) with size (?P<size>\d+)"
)


@RULES.when(_TOO_LARGE)
def size_as_number(raised: Raised, index: str, size: str, **_axis: str) -> Finding | None:
    """Notice a number that is the size, or that goes beyond it."""
    function = raised.function
    if function is None:
        return None
    others = {id(part) for node in ast.walk(function) for part in _no_sizes(node)}
    wanted = (int(size), int(index), int(index) + 1)
    for node in nodes(function, ast.Constant):
        number = node.value
        if type(number) is int and number > 1 and number in wanted and id(node) not in others:
            facts = {"number": number, "line": node.lineno}
            return finding("index_too_large.number", index=index, size=size, **facts)
    return None


def _no_sizes(node: ast.AST) -> list[ast.expr]:
    """Return the parts of a node whose numbers are no sizes: exponents, and arguments with a name."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return [node.right]
    return [node.value] if isinstance(node, ast.keyword) else []


@RULES.when(_TOO_LARGE)
def size_of_another_axis(raised: Raised, index: str, axis: str, size: str) -> Finding | None:
    """Say from where an axis got its size, and what the index counts, if the source shows it."""
    definition, function, number = raised.definition, raised.function, int(axis)
    for node in raised.nodes or [] if definition and function else ():
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            continue
        assert definition is not None
        assert function is not None
        made = last_assigned(node.value.id, function)
        sizes = _sizes(made)
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        counted = _counted(indices[number], function) if number < len(indices) else None
        if made is None or counted is None or number >= len(sizes):
            continue
        matrix = len(sizes) == 2  # noqa: PLR2004 - rows and columns
        return finding(
            "index_too_large.of_another_axis",
            index=index,
            size=size,
            made=node.value.id,
            kind=("rows", "columns")[number] if matrix else f"entries along axis {axis}",
            line=made.lineno,
            sizes=definition.quote(sizes[number]),
            counter=definition.quote(indices[number]),
            counted=definition.quote(counted),
        )
    return None


def _sizes(made: ast.expr | None) -> list[ast.expr]:
    """Return the sizes with which a function such as `torch.zeros` was called."""
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute):
        return []
    if made.func.attr not in _MAKERS or not made.args:
        return []
    first = made.args[0]
    return first.elts if isinstance(first, ast.Tuple | ast.List) else made.args


def _counted(index: ast.expr, function: ast.FunctionDef) -> ast.expr | None:
    """Return what a loop's variable counts: `keys` in `for j, key in enumerate(keys)`."""
    for node in nodes(function, ast.For):
        counts, target = node.iter, node.target
        if not isinstance(counts, ast.Call) or not isinstance(counts.func, ast.Name):
            continue
        if called(counts) == "enumerate" and isinstance(target, ast.Tuple):
            target = target.elts[0]
        elif called(counts) != "range":
            continue
        variables = all(isinstance(one, ast.Name) for one in (target, index))
        if len(counts.args) == 1 and variables and name_of(target) == name_of(index):
            return counts.args[0]
    return None
