"""Patterns of Python expressions, looked for in what a student wrote.

A pattern is Python in which `_` stands for any expression. The function of a call matches under any module and as a
method, and a call may have more arguments than the pattern names: `mean()` matches `torch.mean(x, dim=0)` and
`x.mean()`. Numbers match by value, `2` also `2.0`, and the order of factors and summands does not matter.
"""

from __future__ import annotations

import ast
import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.explain.student_code import Definition

ANYTHING = "_"


def quote(pattern: str, definitions: Iterable[Definition]) -> str:
    """Return the student's own text of the first expression that matches; empty if none does."""
    wanted = _expression(pattern)
    for definition in definitions:
        for node in ast.walk(definition.node):
            if isinstance(node, ast.expr) and matches(wanted, node):
                return definition.quote(node)
    return ""


def matches(pattern: ast.AST, node: ast.AST) -> bool:
    """Return whether an expression matches a pattern."""
    match pattern, node:
        case ast.Name(id="_"), _:
            return True
        case ast.Call(), ast.Call():
            return _same_call(pattern, node)
        case ast.Constant(), ast.Constant():
            return bool(pattern.value == node.value)
        case ast.BinOp(op=ast.Mult() | ast.Add()), ast.BinOp() if type(pattern.op) is type(node.op):
            return _both(pattern, node.left, node.right) or _both(pattern, node.right, node.left)
    return type(pattern) is type(node) and all(
        _same_field(getattr(pattern, name, None), getattr(node, name, None))
        for name in pattern._fields
        if name not in ("ctx", "kind")
    )


@functools.lru_cache(maxsize=512)
def _expression(pattern: str) -> ast.expr:
    return ast.parse(pattern, mode="eval").body


def _same_field(pattern: object, value: object) -> bool:
    if isinstance(pattern, ast.AST):
        return isinstance(value, ast.AST) and matches(pattern, value)
    if isinstance(pattern, list):
        if not isinstance(value, list) or len(value) != len(pattern):
            return False
        return all(map(_same_field, pattern, value))
    return bool(pattern == value)


def _both(pattern: ast.BinOp, left: ast.expr, right: ast.expr) -> bool:
    """Return whether two factors or summands match, in this order."""
    return matches(pattern.left, left) and matches(pattern.right, right)


def _same_call(pattern: ast.Call, node: ast.Call) -> bool:
    if len(node.args) < len(pattern.args) or not _same_function(pattern.func, node.func):
        return False
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    return all(map(matches, pattern.args, node.args)) and all(
        keyword.arg in given and matches(keyword.value, given[keyword.arg])
        for keyword in pattern.keywords
    )


def _same_function(pattern: ast.expr, node: ast.expr) -> bool:
    if isinstance(pattern, ast.Name) and isinstance(node, ast.Attribute):
        return node.attr == pattern.id
    return matches(pattern, node)
