"""The kit's modules as syntax trees, each parsed once for all tests, and what they import."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

KIT = Path(__file__).parents[1] / "autograder"


@functools.cache
def texts() -> dict[str, str]:
    """Return the text of each module, by its path in the kit."""
    paths = sorted(KIT.rglob("*.py"))
    return {path.relative_to(KIT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@functools.cache
def trees() -> dict[str, ast.Module]:
    """Return the tree of each module, by its path in the kit. Nobody changes it."""
    return {name: ast.parse(text) for name, text in texts().items()}


@functools.cache
def nodes() -> dict[str, list[ast.AST]]:
    """Return all nodes of each tree, from the outermost to the innermost."""
    return {name: list(ast.walk(tree)) for name, tree in trees().items()}


def modules() -> list[Path]:
    """Return the kit's modules."""
    return sorted(KIT.rglob("*.py"))


def name_of(path: Path) -> str:
    """Return the name of a module of the kit."""
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
    """Return whether a name is that of a package or of something in it."""
    return name == package or name.startswith(f"{package}.")


def reachable(*roots: str) -> tuple[set[str], set[str]]:
    """Return the kit's own modules that these import, directly or not, and all other names that those import."""
    sources = {name_of(KIT / file): text for file, text in texts().items()}
    found: set[str] = set()
    others: set[str] = set()
    waiting = set(roots)
    while waiting:
        name = waiting.pop()
        found.add(name)
        names = imported(at_run_time(sources[name]))
        parents = {name.rpartition(".")[0]} if "." in name else set()
        waiting |= ((names | parents) & sources.keys()) - found
        others |= {name for name in names if not reaches(name, "autograder")}
    return found, others
