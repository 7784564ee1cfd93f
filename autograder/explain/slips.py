"""Slips that the student's own source shows: a wrong thing used, or something forgotten.

A rule reads one definition. It registers itself for the answers that its slip may cause.
"""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING

import numpy as np

from autograder.explain.evidence import Evidence
from autograder.explain.rules import Finding, Rules, finding
from autograder.explain.syntax import (
    called,
    last_assigned,
    name_of,
    nodes,
    own_nodes,
    returned,
    walk,
)
from autograder.python_source import parsed
from autograder.values.numbers import numbers_in
from autograder.values.values import ListValue, Other

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.explain.student_code import Definition, StudentCode
    from autograder.explain.syntax import Function

# What came back is decided by the slip, whatever the numbers are.
ANSWERED = Rules[Evidence](of=lambda evidence: evidence.definition)

# Functions in whose brackets one number may stand alone, so that a comma in it may be meant for a point.
_OF_NUMBER = frozenset(
    ["pow", "power", "float_power", "mul", "multiply", "div", "divide", "tensor"]
)


def _none(evidence: Evidence) -> bool:
    """Hold where nothing came back, or nothing in place of each part."""
    seen = evidence.seen
    return seen is None or (isinstance(seen, ListValue) and set(seen.items) == {None})


def _of_type(name: str) -> Callable[[Evidence], bool]:
    return lambda evidence: isinstance(evidence.seen, Other) and evidence.seen.type_name == name


_softmax, _generator = _of_type("Softmax"), _of_type("generator")


def _one(evidence: Evidence) -> bool:
    return isinstance(evidence.seen, ListValue) and len(evidence.seen.items) == 1


def _anything_else(evidence: Evidence) -> bool:
    return not any(holds(evidence) for holds in (_none, _softmax, _generator, _one))


ANSWERED.says("softmax_layer", _softmax)


@ANSWERED.when(_anything_else)
def number_with_comma(definition: Definition) -> Finding | None:
    """Notice a decimal number with a comma, such as `d_k ** 0,5`."""
    for node in walk(definition.node):
        for before, after in itertools.pairwise(_separated(node)):
            number = _last_number(before)
            if number is None or not _is_digits(after) or number.lineno != after.lineno:
                continue
            if number is before and isinstance(node, ast.Call) and called(node) not in _OF_NUMBER:
                continue  # such as the bounds of torch.randint(0, 10, ...)
            return finding(
                "number_with_comma",
                whole=definition.quote(number),
                rest=definition.quote(after),
                before=definition.quote(before),
                line=number.lineno,
            )
    return None


def _separated(node: ast.AST) -> list[ast.expr]:
    """Return expressions that commas separate: in a tuple, or in the arguments of a call."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
        lone = isinstance(node.targets[0], ast.Name) and len(node.value.elts) == 2  # noqa: PLR2004
        return node.value.elts if lone else []
    if isinstance(node, ast.Call | ast.Tuple):
        parts = node.args if isinstance(node, ast.Call) else node.elts
        return [] if all(isinstance(part, ast.Constant) for part in parts) else parts
    return []


def _last_number(node: ast.expr) -> ast.Constant | None:
    """Return the whole part of a decimal number: an exponent, a factor or divisor 0, or a lone 0."""
    operator: ast.operator | None = None
    while isinstance(node, ast.BinOp):
        operator, node = node.op, node.right
    if not isinstance(node, ast.Constant) or not _is_digits(node):
        return None
    is_exponent = isinstance(operator, ast.Pow) and node.value in (0, 1)
    is_zero = node.value == 0 and not isinstance(operator, ast.Add | ast.Sub)
    return node if is_exponent or is_zero else None


def _is_digits(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


@ANSWERED.when(_one)
def trailing_comma(definition: Definition, name: str = "") -> Finding | None:
    """Notice a comma at the end of a line, which makes a tuple of one.

    Args:
        name: the variable or attribute that the line makes; empty for any, and for what is returned.
    """
    for node in walk(definition.node):
        if not isinstance(node, ast.Assign | ast.Return) or not isinstance(node.value, ast.Tuple):
            continue
        made = map(name_of, node.targets) if isinstance(node, ast.Assign) else ()
        bare = not definition.quote(node.value).startswith("(")
        if len(node.value.elts) == 1 and bare and name in (*made, ""):
            return finding("comma_at_the_end", line=node.value.end_lineno)
    return None


@ANSWERED.when(_anything_else)
def returned_in_a_loop(definition: Definition) -> Finding | None:
    """Notice a loop that ends the function in its first round. A loop with `continue` may skip its `return`."""
    for loop in walk(definition.node):
        if not isinstance(loop, ast.For | ast.While):
            continue
        goes_on = any(nodes(loop, ast.Continue))
        for statement in [] if goes_on else loop.body:
            if isinstance(statement, ast.Return):
                word = "for" if isinstance(loop, ast.For) else "while"
                facts = {"line": statement.lineno, "loop": loop.lineno, "word": word}
                return finding("return_in_a_loop", **facts)
    return None


def _has_nan(evidence: Evidence) -> bool:
    numbers = numbers_in(evidence.seen)
    return bool(np.isnan(numbers).any() and not np.isnan(numbers_in(evidence.wanted)).any())


@ANSWERED.when(_has_nan)
def root_of_the_fraction(definition: Definition) -> Finding | None:
    """Notice a root of a whole fraction, `(scores / d_k) ** 0.5`, where a negative number has none."""
    written = definition.written("(_ / _) ** 0.5")
    return finding("root_of_the_fraction", written=written) if written else None


@ANSWERED.when(_generator)
def generator_returned(definition: Definition) -> Finding | None:
    """Explain a generator that came back: the function has a `yield`, or returns `(... for ... in ...)`."""
    for node in own_nodes(definition.node):
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return finding("generator_returned.yield", line=node.lineno)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.GeneratorExp):
            return finding("generator_returned", line=node.lineno)
    return None


@ANSWERED.when(_none)
def nothing_returned(definition: Definition) -> Finding | None:
    """Explain why a step returned None: it has no `return`, or returns what another function does not return."""
    function = definition.function or definition.methods.get("forward")
    if function is None:
        return None
    values = returned(function)
    if not any(values):
        last = function.body[-1]
        printed = isinstance(last, ast.Expr) and called(last.value) == "print"
        key = "no_return.printed" if printed else "no_return"
        return finding(key, function=function.name, line=last.lineno)
    if None in values:
        return None
    helpers = (_helper_of(value, function, definition.code) for value in values if value)
    return _helper_without_return(next(filter(None, helpers), None))


def _helper_of(value: ast.AST, function: Function, code: StudentCode) -> Definition | None:
    """Return the student's own function that made a value: called here, or where the variable was assigned."""
    if isinstance(value, ast.Name):
        value = last_assigned(value.id, function) or value
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return None
    return code.definition(value.func.id)


def _helper_without_return(helper: Definition | None) -> Finding | None:
    if helper is None or helper.function is None or any(returned(helper.node)):
        return None
    return finding("helper_without_return", name=helper.node.name, line=helper.line)


def leftover_raise(definition: Definition, stub: str) -> Finding | None:
    """Notice a `raise NotImplementedError()` of the release beside the student's own code."""
    tree = parsed(stub)
    released = {ast.dump(node) for node in nodes(tree, ast.stmt)} if tree else set()
    constructors = [one for name, one in definition.methods.items() if name == "__init__"]
    for function in [*definition.functions, *constructors]:
        raised = [statement for statement in function.body if _raises_not_implemented(statement)]
        own = [
            statement
            for statement in function.body
            if statement not in raised
            and not _is_nothing(statement)
            and ast.dump(statement) not in released
        ]
        if raised and own:
            below = any(statement.lineno < raised[0].lineno for statement in own)
            return finding(
                "raise_left_over",
                line=raised[0].lineno,
                raised=definition.quote(raised[0]),
                side="below" if below else "above",
                function=function.name,
            )
    return None


def _raises_not_implemented(statement: ast.stmt) -> bool:
    raised = statement.exc if isinstance(statement, ast.Raise) else None
    return "NotImplementedError" in (getattr(raised, "id", ""), called(raised) if raised else "")


def _is_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement is a docstring, `...` or `pass`."""
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, ast.Pass)
