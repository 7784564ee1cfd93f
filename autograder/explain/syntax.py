"""Questions about syntax trees: what is called, read, made, assigned and returned."""

from __future__ import annotations

import ast
import functools
import itertools
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Function = ast.FunctionDef | ast.AsyncFunctionDef

Node = TypeVar("Node", bound=ast.AST)
_MOST_KEPT = 2_000  # nodes; a step has some hundreds
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def walk(tree: ast.AST) -> Iterable[ast.AST]:
    """Return all nodes of a tree, the outer ones first. Many rules ask about the same definition; none changes it."""
    found = _few_nodes(tree)
    return ast.walk(tree) if found is None else found


@functools.lru_cache(maxsize=256)
def _few_nodes(tree: ast.AST) -> tuple[ast.AST, ...] | None:
    """Return the nodes of a tree; None for a large one, which would take much memory."""
    found = tuple(itertools.islice(ast.walk(tree), _MOST_KEPT + 1))
    return found if len(found) <= _MOST_KEPT else None


def nodes(tree: ast.AST, kind: type[Node]) -> Iterator[Node]:
    """Yield the nodes of one kind, the outer ones first."""
    return (node for node in walk(tree) if isinstance(node, kind))


def in_a_loop(node: ast.AST, function: ast.AST) -> bool:
    """Return whether a node stands in a loop of a function."""
    return any(one is node for loop in nodes(function, ast.For) for one in ast.walk(loop))


def own_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of functions and classes inside it."""
    waiting = list(ast.iter_child_nodes(tree))
    for node in waiting:
        yield node
        if not isinstance(node, _SCOPES):
            waiting += ast.iter_child_nodes(node)


def statement_at(definition: ast.AST, line: int, column: int) -> ast.stmt | None:
    """Return the innermost statement of a definition that stands on a line; of several, that around a column."""
    on_it = [node for node in nodes(definition, ast.stmt) if is_on(node, line)]
    shortest = min((_length(node) for node in on_it), default=0)
    least = [node for node in on_it if _length(node) == shortest]
    before = [node for node in least if node.col_offset <= column or node.lineno < line]
    return next(iter(before[-1:] or least[:1]), None)


def _length(node: ast.stmt) -> int:
    return (node.end_lineno or 0) - node.lineno


def method_at(definition: ast.AST, line: int) -> ast.FunctionDef | None:
    """Return the innermost function, or the method of a class, in which a line stands."""
    inside = [node for node in nodes(definition, ast.FunctionDef) if is_on(node, line)]
    return inside[-1] if inside else None


def is_on(node: ast.stmt, line: int) -> bool:
    """Return whether a statement stands on a line, perhaps among others."""
    return node.lineno <= line <= (node.end_lineno or node.lineno)


# Names.


def name_of(node: ast.AST | None) -> str:
    """Return the name of a variable, or that of an attribute; empty for anything else."""
    return getattr(node, "attr", "") or getattr(node, "id", "")


def called(node: ast.AST) -> str:
    """Return the name of the function that a node calls; empty if it is no call."""
    return name_of(node.func) if isinstance(node, ast.Call) else ""


def names_read(node: ast.AST) -> dict[str, ast.Name]:
    """Return the names that are read in a node, each with the first place; those of annotations are not."""
    hints = (hint for part in walk(node) for hint in _hints(part))
    left_out = {id(name) for hint in hints for name in walk(hint)}
    places: dict[str, ast.Name] = {}
    for part in nodes(node, ast.Name):
        if isinstance(part.ctx, ast.Load) and id(part) not in left_out:
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
    for part in walk(node):
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


def arguments_of(function: Function) -> list[str]:
    """Return the names of a function's arguments, in order."""
    given = function.args
    return [argument.arg for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def unused_arguments(function: Function, *, method: bool) -> list[str]:
    """Return the arguments that a function never reads."""
    read = names_read(function)
    given = arguments_of(function)[1:] if method else arguments_of(function)
    return [name for name in given if name not in read and not name.startswith("_")]


# Values.


def assignments(tree: ast.AST, name: str, target: type[ast.expr]) -> list[ast.Assign]:
    """Return the statements that assign to a variable (`target` is ast.Name) or to an attribute (ast.Attribute)."""
    return [
        node
        for node in nodes(tree, ast.Assign)
        if any(isinstance(one, target) and name_of(one) == name for one in node.targets)
    ]


def first_stored(name: str, function: Function) -> ast.Name | None:
    """Return the first place where a function gives a value to a variable of its own; None if there is none."""
    if name not in names_made(function):
        return None
    stored = (
        part
        for part in nodes(function, ast.Name)
        if part.id == name and isinstance(part.ctx, ast.Store)
    )
    return min(stored, key=lambda part: part.lineno, default=None)


def stored_on_self(function: Function) -> dict[str, ast.Attribute]:
    """Return the attributes that a method stores or registers on its first argument, each with the first place."""
    own = arguments_of(function)[:1]
    stored = {
        part.attr: part
        for part in reversed(list(nodes(function, ast.Attribute)))
        if isinstance(part.ctx, ast.Store)
        and isinstance(part.value, ast.Name)
        and [part.value.id] == own
    }
    for node in nodes(function, ast.Call):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    attr="register_buffer" | "register_parameter" | "add_module",
                    value=ast.Name(id=base),
                ) as place,
                args=[ast.Constant(value=str(name)), *_],
            ) if [base] == own:
                stored.setdefault(name, place)
    return stored


def returned(function: ast.AST) -> list[ast.expr | None]:
    """Return the values of a function's `return` statements."""
    return [node.value for node in own_nodes(function) if isinstance(node, ast.Return)]
