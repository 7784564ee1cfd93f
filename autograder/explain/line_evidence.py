"""Tests on the syntax nodes of a failing line, for the table of exceptions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.library import MODULES

if TYPE_CHECKING:
    from collections.abc import Callable

    SourceTest = Callable[[list[ast.AST]], bool]


def has(*kinds: type[ast.AST]) -> SourceTest:
    return lambda nodes: any(isinstance(node, kinds) for node in nodes)


def has_one(*kinds: type[ast.AST]) -> SourceTest:
    return lambda nodes: sum(isinstance(node, kinds) for node in nodes) == 1


def calls(*names: str) -> SourceTest:
    return lambda nodes: any(called(node) in names for node in nodes)


def called(node: ast.AST) -> str | None:
    if not isinstance(node, ast.Call):
        return None
    function = node.func
    return getattr(function, "attr", None) or getattr(function, "id", None)


def calls_without(name: str, *keywords: str) -> SourceTest:
    """Match a call of the function `name`, from any module, without any of these keywords."""

    def shows(nodes: list[ast.AST]) -> bool:
        calls = [node for node in nodes if isinstance(node, ast.Call) and called(node) == name]
        return any(
            {keyword.arg for keyword in call.keywords}.isdisjoint(keywords) for call in calls
        )

    return shows


def asks_yes_or_no(nodes: list[ast.AST]) -> bool:
    """Match what needs one yes or no: `and`, `or`, `not`, `if`, `while`, `assert`."""
    kinds = (ast.BoolOp, ast.Not, ast.If, ast.IfExp, ast.While, ast.Assert, ast.comprehension)
    return any(
        isinstance(node, kinds) and not (isinstance(node, ast.comprehension) and not node.ifs)
        for node in nodes
    )


def formats_text(nodes: list[ast.AST]) -> bool:
    """Match an f-string, or a call of `format`."""
    return any(isinstance(node, ast.JoinedStr) or called(node) == "format" for node in nodes)


def either(*ways: SourceTest) -> SourceTest:
    return lambda nodes: any(way(nodes) for way in ways)


def all_of(*ways: SourceTest) -> SourceTest:
    return lambda nodes: all(way(nodes) for way in ways)


def stores_on_self(nodes: list[ast.AST]) -> bool:
    return any(
        isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) for node in nodes
    )


def unpacks_pairs(nodes: list[ast.AST]) -> bool:
    """Match a loop that takes each element of a variable apart, without a call such as `.items()`."""
    return any(
        isinstance(node, ast.comprehension | ast.For)
        and isinstance(node.target, ast.Tuple)
        and isinstance(node.iter, ast.Name | ast.Attribute)
        for node in nodes
    )


def calls_of(module: str) -> SourceTest:
    """Match a call of a function of this module."""

    def shows(nodes: list[ast.AST]) -> bool:
        return any(
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == module
            for node in nodes
        )

    return shows


def brackets_after(name: str) -> SourceTest:
    """Match square brackets directly behind an attribute, such as `keys.size[-1]`."""
    return lambda nodes: any(
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == name
        for node in nodes
    )


_LIBRARY = frozenset().union(*MODULES.values())


def calls_library(nodes: list[ast.AST]) -> bool:
    """Match a call of a function that torch or NumPy has."""
    return any(called(node) in _LIBRARY for node in nodes)
