"""Slips in how a function ends: a `return` inside a loop, a generator in place of a result."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from autograder.explain.explanation import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from autograder.explain.student_code import Definition

GENERATOR = "generator"


def returned_in_a_loop(definition: Definition) -> Reading | None:
    """Notice a loop that ends the function in its first round."""
    for loop in ast.walk(definition.node):
        if not isinstance(loop, ast.For | ast.While) or _goes_on(loop):
            continue
        for statement in loop.body:
            if isinstance(statement, ast.Return):
                says = (
                    f"The `return` in line {statement.lineno} stands inside the loop of line {loop.lineno}, so the "
                    "function ends in the first round of the loop."
                )
                look = f"Line {statement.lineno}: indent `return` like the line with `{_word(loop)}`, below the loop."
                return Reading("return_in_a_loop", says, look, sure=True)
    return None


def _goes_on(loop: ast.For | ast.While) -> bool:
    """Return whether the loop may skip its `return`, as a search does."""
    return any(isinstance(node, ast.Continue) for node in ast.walk(loop))


def _word(loop: ast.For | ast.While) -> str:
    return "for" if isinstance(loop, ast.For) else "while"


def trailing_comma(definition: Definition, name: str = "") -> Reading | None:
    """Notice a comma at the end of a line, which makes a tuple of one.

    Args:
        name: the variable or attribute that the line makes; empty for any, and for what is returned.
    """
    for node in ast.walk(definition.node):
        if not isinstance(node, ast.Assign | ast.Return) or not isinstance(node.value, ast.Tuple):
            continue
        made = [
            getattr(target, "attr", "") or getattr(target, "id", "") for target in _targets(node)
        ]
        written = definition.quote(node.value)
        if len(node.value.elts) == 1 and not written.startswith("(") and name in (*made, ""):
            says = f"The comma at the end of line {node.value.end_lineno} makes a tuple with one element."
            look = f"The end of line {node.value.end_lineno}: a comma too many."
            return Reading("comma_at_the_end", says, look, sure=True)
    return None


def _targets(node: ast.Assign | ast.Return) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else []


def generator_returned(definition: Definition) -> Reading | None:
    """Explain a generator that came back: the function has a `yield`, or returns `(... for ... in ...)`."""
    for node in _own_nodes(definition.node):
        if isinstance(node, ast.Yield | ast.YieldFrom):
            says = f"The `yield` in line {node.lineno} makes a generator, which has computed nothing yet."
            look = f"Line {node.lineno}: a step gives its result back with one `return`."
            return Reading("generator_returned", says, look, sure=True)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.GeneratorExp):
            says = "`(... for ... in ...)` in round brackets is a generator, which has computed nothing yet."
            look = f"Line {node.lineno}: with square brackets it is a list, and `tuple(...)` makes a tuple of it."
            return Reading("generator_returned", says, look, sure=True)
    return None


def _own_nodes(definition: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of functions inside it."""
    waiting = list(ast.iter_child_nodes(definition))
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
