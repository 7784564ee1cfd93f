"""Slips that show whatever the numbers are: a value that is never given back or is lost, a changed input."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.assignment.recorder import changed_names
from autograder.explain.rules import finding
from autograder.explain.syntax import (
    arguments_of,
    names_made,
    names_read,
    nodes,
    returned,
    walk,
)
from autograder.python_source import parsed
from autograder.values.values import ListValue

if TYPE_CHECKING:
    from autograder.explain.properties import WrongAnswer
    from autograder.explain.rules import Finding
    from autograder.explain.student_code import Definition
    from autograder.explain.syntax import Function


def slip_of(answer: WrongAnswer) -> Finding | None:
    """Return the slip that explains an answer; None if the call and the source show none."""
    definition, seen = answer.definition, answer.seen
    if answer.changed:
        return finding("input_changed", name=answer.changed[0])
    if definition is None:
        return None
    if seen is None or (isinstance(seen, ListValue) and set(seen.items) == {None}):
        return nothing_returned(definition)
    rules = (returned_in_a_loop, argument_overwritten, overwritten_in_each_round)
    return next(filter(None, (rule(definition) for rule in rules)), None)


def nothing_returned(definition: Definition) -> Finding | None:
    """Name the function without a `return` that made None of an answer: the step, or one that it calls."""
    for one in definition.code.called_by(definition):
        function = one.function or one.methods.get("forward")
        if function is not None and not any(returned(function)):
            return finding("no_return", function=function.name, line=function.body[-1].lineno)
    return None


def returned_in_a_loop(definition: Definition) -> Finding | None:
    """Notice a loop that ends the function in its first round. A loop with `continue` may skip its `return`."""
    for loop in walk(definition.node):
        if isinstance(loop, ast.For | ast.While) and not any(nodes(loop, ast.Continue)):
            ends = next((one for one in loop.body if isinstance(one, ast.Return)), None)
            if ends is not None:
                return finding("return_in_a_loop", line=ends.lineno, loop=loop.lineno)
    return None


def argument_overwritten(definition: Definition) -> Finding | None:
    """Notice an argument that gets another value before it is read, such as `d_k = 2`."""
    for function in nodes(definition.node, ast.FunctionDef):
        for name in arguments_of(function):
            place = _overwritten(name, function)
            if place is not None:
                facts = {"line": place.lineno, "name": name, "function": function.name}
                return finding("argument_overwritten", written=definition.quote(place), **facts)
    return None


def _overwritten(name: str, function: Function) -> ast.Assign | ast.AnnAssign | None:
    """Return the statement that gives an argument another value before anything reads it; None if none does."""
    for statement in function.body:
        used = [part for part in nodes(statement, ast.Name) if part.id == name]
        if used:
            lost = all(isinstance(part.ctx, ast.Store) for part in used)
            return statement if lost and isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return None


def overwritten_in_each_round(definition: Definition) -> Finding | None:
    """Notice what each round of a loop makes anew and nothing in the loop reads: only its last round is left."""
    for loop in nodes(definition.node, ast.For):
        made = names_made(loop)
        for one in loop.body:
            if not isinstance(one, ast.Assign) or made & names_read(one.targets[0]).keys():
                continue
            name = getattr(next(changed_names(one), one.targets[0]), "id", "")
            others = [other for other in loop.body if other is not one]
            adding = [other for other in others if _adds_to(other, name)]
            read = [one.value, *(other for other in others if other not in adding)]
            matters = adding or made & names_read(one.value).keys()
            own = name in names_made(loop.target)  # which the loop gives its values
            if (
                name
                and matters
                and not own
                and not any(name in names_read(other) for other in read)
            ):
                facts = {"line": one.lineno, "loop": loop.lineno}
                written = definition.quote(one.targets[0])
                return finding("overwritten_in_each_round", written=written, **facts)
    return None


def _adds_to(statement: ast.stmt, name: str) -> bool:
    match statement:
        case (
            ast.AugAssign(target=ast.Name(id=found))
            | ast.Assign(targets=[ast.Name(id=found)])
            | ast.Expr(value=ast.Call(func=ast.Attribute(ast.Name(id=found), attr="append")))
        ):
            return bool(found == name)
    return False


def leftover_raise(definition: Definition, stub: str) -> Finding | None:
    """Notice a `raise NotImplementedError()` of the release beside the student's own code."""
    tree = parsed(stub)
    released = {ast.dump(node) for node in nodes(tree, ast.stmt)} if tree else set()
    for function in definition.functions:
        raised = [statement for statement in function.body if _raises_not_implemented(statement)]
        own = [
            statement
            for statement in function.body
            if statement not in raised
            and not _is_nothing(statement)
            and ast.dump(statement) not in released
        ]
        if raised and own:
            return finding(
                "raise_left_over",
                line=raised[0].lineno,
                raised=definition.quote(raised[0]),
                function=function.name,
            )
    return None


def _raises_not_implemented(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Raise) and "NotImplementedError" in names_read(statement)


def _is_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement is a docstring, `...` or `pass`."""
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, ast.Pass)
