"""Slips that the student's own source shows: a wrong thing used, or something forgotten.

Each function looks for one slip in a definition. A slip is a fact about the source. Whether it is the cause of a wrong
answer or of an exception is for the caller to decide.
"""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING

from autograder.explain.raised import called
from autograder.explain.rules import Finding, finding
from autograder.explain.syntax import (
    last_assigned,
    names_made,
    names_read,
    stored_on_self,
    unused_arguments,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.explain.student_code import Definition, StudentCode

    Function = ast.FunctionDef | ast.AsyncFunctionDef

# Methods that change a list, a set or a dictionary and give back None.
_IN_PLACE = ("append", "extend", "insert", "sort", "reverse", "update", "add", "remove", "clear")


def functions_of(definition: Definition) -> list[Function]:
    """Return what runs when a step is called: the function itself, or the methods of a class."""
    if isinstance(definition.node, ast.ClassDef):
        return [method for name, method in definition.methods.items() if name != "__init__"]
    return [definition.node]


def foreign_names(function: Function, code: StudentCode) -> list[str]:
    """Return the variables of the file that a function reads."""
    made = names_made(function)
    return [name for name in names_read(function) if name in code.variables and name not in made]


def variable_for_an_argument(definition: Definition, code: StudentCode) -> Finding | None:
    """Notice a variable or a class of the file where an argument of the step belongs."""
    for function in functions_of(definition):
        unused = unused_arguments(function, method=function is not definition.node)
        foreign = foreign_names(function, code)
        if not unused:
            continue
        facts = {"function": function.name, "unused": unused[0]}
        if owner := _class_read(function, code):
            return finding("variable_for_an_argument.class", owner=owner, **facts)
        if foreign:
            line = code.variables[foreign[0]][1]
            return finding("variable_for_an_argument", used=foreign[0], line=line, **facts)
    return None


def _class_read(function: Function, code: StudentCode) -> str:
    """Return the class of the file whose attributes a function uses, such as `SelfAttention_v1.W_key`; else empty."""
    for node in ast.walk(function):
        owner = node.value if isinstance(node, ast.Attribute) else None
        if isinstance(owner, ast.Name) and owner.id not in names_made(function):
            found = code.definition(owner.id)
            if found and isinstance(found.node, ast.ClassDef):
                return owner.id
    return ""


def self_left_out(definition: Definition, code: StudentCode) -> Finding | None:
    """Notice a method that reads a variable of the file where the module stores one of the same name."""
    stored = {name for method in definition.methods.values() for name in stored_on_self(method)}
    for method in definition.methods.values():
        for name in foreign_names(method, code):
            if name in stored:
                facts = {"method": method.name, "name": name, "line": code.variables[name][1]}
                return finding("self_left_out.variable", **facts)
    return None


def number_with_comma(definition: Definition) -> Finding | None:
    """Notice a decimal number with a comma, such as `d_k ** 0,5`."""
    for node in ast.walk(definition.node):
        for before, after in itertools.pairwise(_separated(node)):
            number = _last_number(before)
            if number is None or not _is_digits(after) or number.lineno != after.lineno:
                continue
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
    inner = node
    operator: ast.operator | None = None
    while isinstance(inner, ast.BinOp):
        operator = inner.op
        inner = inner.right
    if not isinstance(inner, ast.Constant) or not _is_digits(inner):
        return None
    is_exponent = isinstance(operator, ast.Pow) and inner.value in (0, 1)
    is_zero = inner.value == 0 and not isinstance(operator, ast.Add | ast.Sub)
    return inner if is_exponent or is_zero else None


def _is_digits(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def trailing_comma(definition: Definition, name: str = "") -> Finding | None:
    """Notice a comma at the end of a line, which makes a tuple of one.

    Args:
        name: the variable or attribute that the line makes; empty for any, and for what is returned.
    """
    for node in ast.walk(definition.node):
        if not isinstance(node, ast.Assign | ast.Return) or not isinstance(node.value, ast.Tuple):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else []
        made = [getattr(one, "attr", "") or getattr(one, "id", "") for one in targets]
        bare = not definition.quote(node.value).startswith("(")
        if len(node.value.elts) == 1 and bare and name in (*made, ""):
            return finding("comma_at_the_end", line=node.value.end_lineno)
    return None


def leftover_raise(definition: Definition, stub: str) -> Finding | None:
    """Notice a `raise NotImplementedError()` of the release beside the student's own code."""
    released = _statements(stub)
    constructors = [one for name, one in definition.methods.items() if name == "__init__"]
    for function in [*functions_of(definition), *constructors]:
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


def _statements(stub: str) -> set[str]:
    """Return the statements of a released step, in comparable form."""
    try:
        return {ast.dump(node) for node in ast.walk(ast.parse(stub)) if isinstance(node, ast.stmt)}
    except SyntaxError:
        return set()


def _raises_not_implemented(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Raise) or statement.exc is None:
        return False
    raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def _is_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement is a docstring, `...` or `pass`."""
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, ast.Pass)


def returned_in_a_loop(definition: Definition) -> Finding | None:
    """Notice a loop that ends the function in its first round. A loop with `continue` may skip its `return`."""
    for loop in ast.walk(definition.node):
        if not isinstance(loop, ast.For | ast.While):
            continue
        goes_on = any(isinstance(node, ast.Continue) for node in ast.walk(loop))
        for statement in [] if goes_on else loop.body:
            if isinstance(statement, ast.Return):
                word = "for" if isinstance(loop, ast.For) else "while"
                facts = {"line": statement.lineno, "loop": loop.lineno, "word": word}
                return finding("return_in_a_loop", **facts)
    return None


def generator_returned(definition: Definition) -> Finding | None:
    """Explain a generator that came back: the function has a `yield`, or returns `(... for ... in ...)`."""
    for node in _own_nodes(definition.node):
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return finding("generator_returned.yield", line=node.lineno)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.GeneratorExp):
            return finding("generator_returned", line=node.lineno)
    return None


def _own_nodes(definition: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of functions and classes inside it."""
    waiting = list(ast.iter_child_nodes(definition))
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _returned(function: ast.AST) -> list[ast.expr | None]:
    """Return the values of a function's `return` statements."""
    return [node.value for node in _own_nodes(function) if isinstance(node, ast.Return)]


def nothing_returned(definition: Definition, code: StudentCode) -> Finding | None:
    """Explain why a step returned None: it has no `return`, or returns what another function does not return."""
    node = definition.node
    function = definition.methods.get("forward") if isinstance(node, ast.ClassDef) else node
    if function is None:
        return None
    returned = _returned(function)
    if not any(returned):
        last = function.body[-1]
        printed = isinstance(last, ast.Expr) and called(last.value) == "print"
        key = "no_return.printed" if printed else "no_return"
        return finding(key, function=function.name, line=last.lineno)
    if None in returned:
        return None
    helpers = (_helper_of(value, function, code) for value in returned if value is not None)
    return _helper_without_return(next(filter(None, helpers), None))


def none_from_a_helper(
    function: Function, nodes: list[ast.AST], code: StudentCode
) -> Finding | None:
    """Explain a None in a statement: from a function without `return`, or from a method that changes its object."""
    for node in nodes:
        if isinstance(node, ast.Name | ast.Call):
            helper = _helper_of(node, function, code)
            if found := _helper_without_return(helper) or _changed_in_place(node, function):
                return found
    return None


def _changed_in_place(node: ast.AST, function: Function) -> Finding | None:
    value = last_assigned(node.id, function) if isinstance(node, ast.Name) else node
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return None
    if value.func.attr not in _IN_PLACE:
        return None
    return finding("changes_in_place", method=value.func.attr, line=value.lineno)


def _helper_of(value: ast.AST, function: Function, code: StudentCode) -> Definition | None:
    """Return the student's own function that made a value: called here, or where the variable was assigned."""
    if isinstance(value, ast.Name):
        value = last_assigned(value.id, function) or value
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return None
    return code.definition(value.func.id)


def _helper_without_return(helper: Definition | None) -> Finding | None:
    if helper is None or isinstance(helper.node, ast.ClassDef) or any(_returned(helper.node)):
        return None
    return finding("helper_without_return", name=helper.node.name, line=helper.line)
