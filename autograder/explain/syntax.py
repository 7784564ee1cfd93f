"""Questions about syntax trees: which names are read, made, stored and given."""

from __future__ import annotations

import ast


def statement_at(definition: ast.AST, line: int) -> ast.stmt | None:
    """Return the innermost statement of a definition that stands on a line."""
    on_it = (
        node
        for node in ast.walk(definition)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    )
    return min(on_it, key=lambda node: (node.end_lineno or 0) - node.lineno, default=None)


def method_at(definition: ast.AST, line: int) -> ast.FunctionDef | None:
    """Return the innermost function, or the method of a class, in which a line stands."""
    inside = [
        node
        for node in ast.walk(definition)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return inside[-1] if inside else None


def names_read(node: ast.AST) -> dict[str, ast.Name]:
    """Return the names that are read in a node, each with the first place; those of annotations are not."""
    places: dict[str, ast.Name] = {}
    hints = {
        id(name) for part in ast.walk(node) for hint in _hints(part) for name in ast.walk(hint)
    }
    for part in ast.walk(node):
        if id(part) in hints:
            continue
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            places.setdefault(part.id, part)
    return places


def _hints(node: ast.AST) -> list[ast.expr]:
    """Return the type hints of a function, an argument or a variable."""
    hint = getattr(node, "annotation", None) or getattr(node, "returns", None)
    return [hint] if isinstance(hint, ast.expr) else []


def names_made(node: ast.AST) -> set[str]:
    """Return the names that a node binds: arguments, variables, functions."""
    made: set[str] = set()
    declared: set[str] = set()
    for part in ast.walk(node):
        match part:
            case ast.Name(ctx=ast.Store()):
                made.add(part.id)
            case ast.arg():
                made.add(part.arg)
            case ast.FunctionDef() | ast.ClassDef() if part is not node:
                made.add(part.name)
            case ast.Global():
                declared.update(part.names)
    return made - declared


def arguments_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Return the names of a function's arguments, in order."""
    given = function.args
    return [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def stored_on_self(function: ast.FunctionDef) -> dict[str, ast.Attribute]:
    """Return the attributes that a method stores on its first argument, each with the first place."""
    own = arguments_of(function)[:1]
    return {
        part.attr: part
        for part in reversed(list(ast.walk(function)))
        if isinstance(part, ast.Attribute)
        and isinstance(part.ctx, ast.Store)
        and isinstance(part.value, ast.Name)
        and [part.value.id] == own
    }


def first_stored(name: str, function: ast.FunctionDef) -> ast.Name | None:
    """Return the first place where a function gives a value to a variable of its own; None if there is none."""
    if name not in names_made(function):
        return None
    stored = (
        part
        for part in ast.walk(function)
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
    )
    return min(stored, key=lambda part: part.lineno, default=None)


def last_assigned(name: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.expr | None:
    """Return the expression that a function assigns last to a variable; None if there is none."""
    values = [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]
    return values[-1] if values else None


def unused_arguments(
    function: ast.FunctionDef | ast.AsyncFunctionDef, *, method: bool
) -> list[str]:
    """Return the arguments that a function never reads."""
    read = names_read(function)
    given = arguments_of(function)[1:] if method else arguments_of(function)
    return [name for name in given if name not in read and not name.startswith("_")]
