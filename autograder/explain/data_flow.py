"""What becomes of the value of an expression: whether a function may return something computed from it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.operations import is_operation
from autograder.explain.syntax import called, names_made, names_read, nodes, walk

if TYPE_CHECKING:
    from autograder.explain.syntax import Function


def is_used(node: ast.expr, function: Function) -> bool:
    """Return whether the value of an expression may reach what its function returns. In doubt it does."""
    carriers: set[str] = set()  # the variables that hold something computed from it
    for statement in function.body:
        inside = any(part is node for part in walk(statement))
        if not inside and not carriers & names_read(statement).keys():
            if isinstance(statement, ast.Assign):
                carriers -= _assigned(statement)
            continue
        match statement:
            case ast.Assign(targets=[ast.Name() | ast.Tuple()]):
                carriers |= _assigned(statement)
            case ast.Expr() if not _calls_with(statement, node, carriers):
                pass
            case _:
                return True
    return False


def _calls_with(statement: ast.Expr, node: ast.expr, carriers: set[str]) -> bool:
    """Return whether a statement calls something with the value that may keep it: not `print`, no plain operation."""
    return any(
        call is not node
        and called(call) != "print"
        and not is_operation(call)
        and (any(part is node for part in walk(call)) or carriers & names_read(call).keys())
        for call in nodes(statement, ast.Call)
    )


def _assigned(statement: ast.Assign) -> set[str]:
    """Return the variables that an assignment gives a value as a whole."""
    simple = all(isinstance(target, ast.Name | ast.Tuple) for target in statement.targets)
    return names_made(statement) if simple else set()
