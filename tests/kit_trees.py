"""The kit's modules as syntax trees, each parsed once for all tests, and what they import."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

KIT = Path(__file__).parents[1] / "autograder"


@functools.cache
def texts() -> dict[str, str]:
    paths = sorted(KIT.rglob("*.py"))
    return {path.relative_to(KIT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@functools.cache
def trees() -> dict[str, ast.Module]:
    """Return the tree of each module, by its path in the kit. Nobody changes it."""
    return {name: ast.parse(text) for name, text in texts().items()}


@functools.cache
def nodes() -> dict[str, list[ast.AST]]:
    return {name: list(ast.walk(tree)) for name, tree in trees().items()}


def modules() -> list[Path]:
    return sorted(KIT.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(KIT.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imported(tree: ast.AST) -> set[str]:
    """Return what a source imports anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            found.add(str(node.module))
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def at_run_time(source: str) -> ast.Module:
    """Return the tree of a source without what only a type checker reads."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    return tree


def reaches(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")
