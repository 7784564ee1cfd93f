"""Explain exceptions to beginners, from knowledge of Python and torch, not of an assignment.

An exception alone is weak evidence. An explanation is sure only if the failing line shows the cause
by its operators and names.
"""

from __future__ import annotations

import ast
import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.explain.exception_table import COMMON_FUNCTIONS, KNOWN_ERRORS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.results import StudentError

# Suggestions for a misspelt name, besides the names that the file defines.
COMMON_NAMES = (
    "torch",
    "nn",
    "np",
    "math",
    "F",
    "numpy",
    "self",
    "range",
    "len",
    "print",
    "return",
    "float",
)


@dataclass(frozen=True)
class Reading:
    """The explanation of an exception.

    Attributes:
        name: its name in results.
        sure: the failing line shows the cause.
    """

    name: str
    says: str
    look: str
    sure: bool


def read_error(error: StudentError, names: Iterable[str]) -> Reading | None:
    """Explain an exception; return None if its message is clear. The file defines `names`."""
    nodes = _nodes(error.frames[-1].text) if error.frames else None
    misspelt = _misspelt(error, nodes, names)
    if misspelt is not None:
        return misspelt
    for known in KNOWN_ERRORS:
        found = re.search(known.message, error.message)
        if found is None:
            continue
        if known.line is not None and nodes is not None and not known.line(nodes):
            continue
        groups = [group or "" for group in found.groups()]
        sure = known.line is not None and nodes is not None
        says = known.says.format(*groups)
        # A line that is part of a longer statement cannot be parsed, so it proves nothing.
        says = says if sure or known.line is None else f"Perhaps: {says}"
        return Reading(known.name, says, known.look.format(*groups), sure)
    return None


def _nodes(text: str) -> list[ast.AST] | None:
    """Return the syntax nodes of one line of Python; None if it is not a whole statement."""
    body = f"{text} pass" if text.endswith(":") else text
    try:
        return list(ast.walk(ast.parse(f"def line():\n    {body}\n")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _misspelt(
    error: StudentError, nodes: list[ast.AST] | None, names: Iterable[str]
) -> Reading | None:
    """Explain a name that does not exist, and suggest a similar one."""
    if found := re.search(r"name '(\w+)' is not defined", error.message):
        others = [node.id for node in nodes or [] if isinstance(node, ast.Name)]
        return _meant(found[1], "", [*names, *others, *COMMON_NAMES], nodes)
    if found := re.search(r"module '([\w.]+)' has no attribute '(\w+)'", error.message):
        return _meant(found[2], f"{found[1]}.", COMMON_FUNCTIONS, nodes)
    if found := re.search(r"'(\w+)' object has no attribute '(\w+)'", error.message):
        if found[1] == "NoneType" or not _reads_self(nodes, found[2]):
            return None
        says = f"Nothing is stored under self.{found[2]}."
        look = f"__init__: only what is stored on self remains, under the name {found[2]}."
        return Reading("not_stored_on_self", says, look, sure=True)
    return None


def _meant(
    name: str, before: str, candidates: Iterable[str], nodes: list[ast.AST] | None
) -> Reading:
    close = difflib.get_close_matches(name, sorted({*candidates} - {name}), n=1, cutoff=0.7)
    says = f"There is no `{before}{name}`."
    # A name similar to one of the student's own may be right, and its definition missing.
    known = bool(before) or close[:1] in [[common] for common in COMMON_NAMES]
    sure = bool(close) and known and _mentions(nodes, name)
    if close:
        says += (
            f" Did you mean `{before}{close[0]}`?"
            if sure
            else f" Perhaps it is `{before}{close[0]}`?"
        )
    look = "The spelling of the name; what a function uses it gets as an argument, makes itself, or imports."
    return Reading("name_misspelt" if close else "name_not_defined", says, look, sure)


def _mentions(nodes: list[ast.AST] | None, name: str) -> bool:
    return any(getattr(node, "id", getattr(node, "attr", None)) == name for node in nodes or [])


def _reads_self(nodes: list[ast.AST] | None, name: str) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        for node in nodes or []
    )
