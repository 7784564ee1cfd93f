"""Slips that the source shows whatever the numbers are: a value that is never given back, is lost, or ends a loop."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.assignment.recorder import changed_names
from autograder.explain.evidence import Evidence
from autograder.explain.rules import Finding, Rules, finding
from autograder.explain.syntax import (
    arguments_of,
    called,
    last_assigned,
    name_of,
    names_made,
    names_read,
    nodes,
    returned,
    walk,
)
from autograder.python_source import parsed
from autograder.values.values import ListValue

if TYPE_CHECKING:
    from autograder.explain.student_code import Definition, StudentCode
    from autograder.explain.syntax import Function

ANSWERED = Rules[Evidence](of=lambda evidence: evidence.definition)


def _none(evidence: Evidence) -> bool:
    """Hold where nothing came back, or nothing in place of each part."""
    seen = evidence.seen
    return seen is None or (isinstance(seen, ListValue) and set(seen.items) == {None})


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
    helpers = (_helper_of(value, function, definition.code) for value in values if value)
    helper = next(filter(None, helpers), None)
    if helper is None or helper.function is None or any(returned(helper.node)):
        return None
    return finding("helper_without_return", name=helper.node.name, line=helper.line)


def _helper_of(value: ast.AST, function: Function, code: StudentCode) -> Definition | None:
    """Return the student's own function that made a value: called here, or where the variable was assigned."""
    if isinstance(value, ast.Name):
        value = last_assigned(value.id, function) or value
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return None
    return code.definition(value.func.id)


@ANSWERED.when(lambda evidence: not _none(evidence))
def returned_in_a_loop(definition: Definition) -> Finding | None:
    """Notice a loop that ends the function in its first round. A loop with `continue` may skip its `return`."""
    for loop in walk(definition.node):
        if isinstance(loop, ast.For | ast.While) and not any(nodes(loop, ast.Continue)):
            ends = next((one for one in loop.body if isinstance(one, ast.Return)), None)
            if ends is not None:
                word = "for" if isinstance(loop, ast.For) else "while"
                facts = {"line": ends.lineno, "loop": loop.lineno, "word": word}
                return finding("return_in_a_loop", **facts)
    return None


def _one(evidence: Evidence) -> bool:
    return isinstance(evidence.seen, ListValue) and len(evidence.seen.items) == 1


@ANSWERED.when(_one)
def trailing_comma(definition: Definition, name: str = "") -> Finding | None:
    """Notice a comma at the end of a line, which makes a tuple of one.

    Args:
        name: the variable or attribute that the line makes; empty for any, and for what is returned.
    """
    for node in walk(definition.node):
        if not isinstance(node, ast.Assign | ast.Return):
            continue
        if isinstance(node.value, ast.Tuple) and len(node.value.elts) == 1:
            made = map(name_of, node.targets) if isinstance(node, ast.Assign) else ()
            if not definition.quote(node.value).startswith("(") and name in (*made, ""):
                return finding("comma_at_the_end", line=node.value.end_lineno)
    return None


@ANSWERED.when()
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


@ANSWERED.when()
def total_reset(definition: Definition) -> Finding | None:
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
            changing = made & names_read(one.value).keys()
            if (
                name
                and (adding or changing)
                and not any(name in names_read(other) for other in read)
            ):
                written, value = definition.quote(one.targets[0]), definition.quote(one.value)
                facts = {"line": one.lineno, "loop": loop.lineno, "written": written}
                key = "overwritten_in_each_round" if changing else "total_reset"
                return finding(key, value=value, **facts)
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
