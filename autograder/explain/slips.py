"""Slips that the student's own source shows: a wrong thing used, or something forgotten.

Each function looks for one slip in a definition and returns its explanation, or None. A slip is a fact about the
source. Whether it is the cause of a wrong answer is for the caller to decide.
"""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING

from autograder.explain.explanation import Reading
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


def functions_of(definition: Definition) -> list[Function]:
    """Return what runs when a step is called: the function itself, or the methods of a class."""
    if isinstance(definition.node, ast.ClassDef):
        return [method for name, method in definition.methods.items() if name != "__init__"]
    return [definition.node]


def foreign_names(function: Function, code: StudentCode) -> list[str]:
    """Return the variables of the file that a function reads."""
    made = names_made(function)
    return [name for name in names_read(function) if name in code.variables and name not in made]


def variable_for_an_argument(definition: Definition, code: StudentCode) -> Reading | None:
    """Notice a variable of the file where an argument of the step belongs."""
    for function in functions_of(definition):
        unused = unused_arguments(function, method=function is not definition.node)
        foreign = foreign_names(function, code)
        if unused and (owner := _class_read(function, code)):
            says = (
                f"`{function.name}` never uses its argument `{unused[0]}`. It uses the class `{owner}`, which is not "
                f"the object that `{unused[0]}` is."
            )
            look = f"Where `{owner}` stands: the object is `{unused[0]}`."
            return Reading("variable_for_an_argument", says, look, sure=True)
        if not unused or not foreign:
            continue
        used, line = foreign[0], code.variables[foreign[0]][1]
        says = (
            f"`{function.name}` never uses its argument `{unused[0]}`. It uses `{used}`, a variable of your file "
            f"(line {line}), which stays the same in every call."
        )
        look = f"Where `{used}` stands: a step computes with its arguments, here `{unused[0]}`."
        return Reading("variable_for_an_argument", says, look, sure=True)
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


def self_left_out(definition: Definition, code: StudentCode) -> Reading | None:
    """Notice a method that reads a variable of the file where the module stores one of the same name."""
    stored = {name for method in definition.methods.values() for name in stored_on_self(method)}
    for method in definition.methods.values():
        for name in foreign_names(method, code):
            if name in stored:
                says = (
                    f"`{method.name}` uses `{name}`, a variable of your file (line {code.variables[name][1]}). The "
                    f"module's own is `self.{name}`."
                )
                look = f"`{name}` in `{method.name}`: `self.` is missing before it."
                return Reading("self_left_out", says, look, sure=True)
    return None


def number_with_comma(definition: Definition) -> Reading | None:
    """Notice a decimal number with a comma, such as `d_k ** 0,5`."""
    for node in ast.walk(definition.node):
        for before, after in itertools.pairwise(_separated(node)):
            number = _last_number(before)
            if number is None or not _is_digits(after) or number.lineno != after.lineno:
                continue
            whole, rest = definition.quote(number), definition.quote(after)
            says = (
                f"`{whole},{rest}` is not one number: a comma separates two values. Python writes decimal numbers "
                f"with a point: `{whole}.{rest}`."
            )
            look = f"Line {number.lineno}: the comma in `{definition.quote(before)},{rest}`."
            return Reading("number_with_comma", says, look, sure=True)
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


def leftover_raise(definition: Definition, stub: str) -> Reading | None:
    """Notice a `raise NotImplementedError()` of the release beside the student's own code."""
    released = _statements(stub)
    for function in [*functions_of(definition), *_constructors(definition)]:
        raised = [statement for statement in function.body if _raises_not_implemented(statement)]
        own = [
            statement
            for statement in function.body
            if statement not in raised
            and not _is_nothing(statement)
            and ast.dump(statement) not in released
        ]
        if not raised or not own:
            continue
        below = any(statement.lineno < raised[0].lineno for statement in own)
        says = (
            f"Line {raised[0].lineno} still says `{definition.quote(raised[0])}`, "
            f"{'below' if below else 'above'} the code that you wrote in `{function.name}`. It ends the call there."
        )
        return Reading("raise_left_over", says, "Delete that line, then check again.", sure=True)
    return None


def _statements(stub: str) -> set[str]:
    """Return the statements of a released step, in comparable form."""
    try:
        return {ast.dump(node) for node in ast.walk(ast.parse(stub)) if isinstance(node, ast.stmt)}
    except SyntaxError:
        return set()


def _constructors(definition: Definition) -> list[Function]:
    return [definition.methods["__init__"]] if "__init__" in definition.methods else []


def _raises_not_implemented(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Raise) or statement.exc is None:
        return False
    raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def _is_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement is a docstring, `...` or `pass`."""
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, ast.Pass)


def nothing_returned(definition: Definition, code: StudentCode) -> Reading | None:
    """Explain why a step returned None: it has no `return`, or returns what another function does not return."""
    function = _called_first(definition)
    if function is None:
        return None
    returned = [statement.value for statement in returns_of(function)]
    if not any(returned):
        return _no_return(function)
    if None in returned:
        return None
    helpers = [_helper_of(value, function, code) for value in returned if value is not None]
    return _helper_without_return(next(filter(None, helpers), None))


# Methods that change a list, a set or a dictionary and give back None.
_IN_PLACE = ("append", "extend", "insert", "sort", "reverse", "update", "add", "remove", "clear")


def none_from_a_helper(
    function: Function, nodes: list[ast.AST], code: StudentCode
) -> Reading | None:
    """Explain a None in a statement: it came from one of the student's own functions without `return`."""
    for node in nodes:
        if isinstance(node, ast.Name | ast.Call):
            found = _helper_without_return(_helper_of(node, function, code)) or _in_place(
                node, function
            )
            if found:
                return found
    return None


def _in_place(node: ast.AST, function: Function) -> Reading | None:
    value = last_assigned(node.id, function) if isinstance(node, ast.Name) else node
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return None
    if value.func.attr not in _IN_PLACE:
        return None
    says = f"`.{value.func.attr}(...)` changes the object before it and gives back None."
    look = f"Line {value.lineno}: call `.{value.func.attr}(...)` on a line of its own, without `=` before it."
    return Reading("changes_in_place", says, look, sure=True)


def _called_first(definition: Definition) -> Function | None:
    if isinstance(definition.node, ast.ClassDef):
        return definition.methods.get("forward")
    return definition.node


def returns_of(function: Function) -> Iterator[ast.Return]:
    """Yield the `return` statements of a function, without those of functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _no_return(function: Function) -> Reading:
    last = function.body[-1]
    says = f"`{function.name}` computes, but has no `return`, so it gives back None."
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        called = last.value.func
        if isinstance(called, ast.Name) and called.id == "print":
            says = (
                f"`{function.name}` prints its result, but has no `return`, so it gives back None."
            )
    look = (
        f"The end of `{function.name}` (line {last.lineno}): `return` and the result are missing."
    )
    return Reading("no_return", says, look, sure=True)


def _helper_of(value: ast.AST, function: Function, code: StudentCode) -> Definition | None:
    """Return the student's own function that made a value: called here, or where the variable was assigned."""
    if isinstance(value, ast.Name):
        value = last_assigned(value.id, function) or value
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return None
    return code.definition(value.func.id)


def _helper_without_return(helper: Definition | None) -> Reading | None:
    if helper is None or isinstance(helper.node, ast.ClassDef):
        return None
    if any(statement.value is not None for statement in returns_of(helper.node)):
        return None
    name = helper.node.name
    says = f"Your function `{name}` (line {helper.line}) has no `return`, so it gives back None."
    look = f"The end of `{name}`: `return` and its result are missing."
    return Reading("helper_without_return", says, look, sure=True)
