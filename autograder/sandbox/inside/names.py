"""The names that statements define, and the attributes that they assign to."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEFINES = re.compile(
    r"^(?:async\s+)?(?:def|class)\s+(\w+)"
    r"|^(?!(?:return|assert|raise|del|print)\b)(\w[\w, ]*?)\s*(?::[^=\n]*)?=(?!=)"
    r"|^(?:from\s.*?)?import\s+([\w., ]+)"
    r"|^\w+\s+(\w+)\s*\(",
    re.MULTILINE,
)


def names_bound(node: ast.stmt) -> tuple[str, ...]:
    """Return the names that a top-level statement binds."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return (node.name,)
    names: list[str] = []
    waiting: list[ast.AST] = [node]
    for part in waiting:
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(part.name)
            continue
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.append(part.id)
        if isinstance(part, ast.alias):
            names.append((part.asname or part.name).split(".")[0])
        if not isinstance(part, ast.Lambda | ast.GeneratorExp | ast.ListComp):
            waiting += ast.iter_child_nodes(part)
    return tuple(dict.fromkeys(names))


def names_changed(node: ast.stmt) -> Iterator[str]:
    """Yield the names of objects that a statement may change.

    It stores in them, or calls a method of theirs and does not use what comes back, as in `table.append(1)`.
    """
    for part in ast.walk(node):
        changes = isinstance(getattr(part, "ctx", None), ast.Store)
        called = part.value if isinstance(part, ast.Expr) else None
        target = part if changes else called.func if isinstance(called, ast.Call) else None
        if isinstance(target, ast.Attribute | ast.Subscript) and isinstance(target.value, ast.Name):
            yield target.value.id


def names_in(text: str) -> tuple[str, ...]:
    """Return the names that lines which cannot be parsed seem to define."""
    found: list[str] = []
    for names in _DEFINES.findall(text):
        for word in ",".join(names).split(","):
            name = word.split(" as ")[-1].strip().split(".")[0]
            if name.isidentifier():
                found.append(name)
    return tuple(dict.fromkeys(found))


def attributes_assigned(node: ast.AST) -> Iterator[tuple[str, str, int]]:
    """Yield the attributes that code assigns to or deletes: the object as it is written, the name, and the line."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
            yield _dotted(part.value), part.attr, part.lineno
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            given = part.args[:2] if part.func.id in ("setattr", "delattr") else []
            if len(given) == 2 and isinstance(given[1], ast.Constant):  # noqa: PLR2004
                yield _dotted(given[0]), str(given[1].value), part.lineno


def _dotted(node: ast.expr) -> str:
    """Return an expression such as `torch.nn` as a text; empty if it is anything else."""
    if isinstance(node, ast.Name):
        return node.id
    before = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{before}.{node.attr}" if before and isinstance(node, ast.Attribute) else ""
