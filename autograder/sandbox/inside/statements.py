"""Cut a piece of source into top-level statements, each to be compiled and run alone.

Where Python cannot parse the piece, it is cut at its cells, and a cell that cannot be parsed at each line in column 0
that can begin a statement. Neighbours that only parse together are joined again.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.sandbox.inside.cutting import FUNCTION_OR_CLASS, Lines, together
from autograder.sandbox.inside.names import names_bound, names_in
from autograder.values.wire import DEFINES, IMPORTS

if TYPE_CHECKING:
    from collections.abc import Iterator

# How many neighbours are tried together, and how many characters of a cell are parsed in all to find them.
_MOST_NEIGHBOURS = 200
_MOST_CHARACTERS = 20_000_000
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_INDENTED = re.compile(r"^[ \t]+(?=\S)", re.MULTILINE)
_TABS_AND_SPACES = "inconsistent use of tabs and spaces in indentation"


@dataclass(frozen=True)
class Statement:
    """One top-level statement, or lines that Python cannot parse.

    Attributes:
        first, last: the numbers of its lines.
        tree: the parsed statement; None if it cannot be parsed.
        error: why it cannot be parsed.
        names: the names that it defines, or should have defined.
    """

    first: int
    last: int
    tree: ast.stmt | None = None
    error: BaseException | None = None
    names: tuple[str, ...] = ()

    @property
    def does(self) -> int:
        """IMPORTS if it imports, DEFINES if it does nothing but import or define, 0 for anything else."""
        tree = self.tree
        blocks = (ast.Try, ast.If, ast.With)
        parts = list(ast.iter_child_nodes(tree)) if isinstance(tree, blocks) else [tree]
        if any(isinstance(part, ast.Import | ast.ImportFrom) for part in parts):
            return IMPORTS | (DEFINES if tree in parts else 0)
        return DEFINES if isinstance(tree, _DEFINITIONS) or _is_plain(tree) else 0


def _is_plain(tree: ast.stmt | None) -> bool:
    """Return whether a statement gives a name a value that takes no time, such as `scale = 0.5`."""
    calls = (ast.Call, ast.ListComp, ast.SetComp, ast.DictComp, ast.BinOp)
    return isinstance(tree, ast.Assign | ast.AnnAssign) and not any(
        isinstance(part, calls) for part in ast.walk(tree)
    )


def statements(source: str) -> Iterator[Statement]:
    """Yield the statements of a piece of source, in order. Lines keep their numbers."""
    whole = Lines(1, source)
    if isinstance(whole.parsed, ast.Module):
        yield from _of_tree(whole.parsed)
        return
    if source.lstrip("\r\n")[:1] in (" ", "\t"):
        moved = Lines(1, textwrap.dedent(source))
        if isinstance(moved.parsed, ast.Module):
            yield Statement(1, 1, error=whole.parsed)
            yield from _of_tree(moved.parsed)
            return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the first attempt has given them
        for cell in whole.cells():
            for part in _parts(cell):
                if isinstance(part.parsed, ast.Module):
                    yield from _of_tree(part.parsed)
                else:
                    names = names_in(part.text)
                    yield Statement(part.first, part.last, error=_cause(part), names=names)


def _of_tree(tree: ast.Module) -> Iterator[Statement]:
    for node in tree.body:
        for part in _separate(node):
            last = part.end_lineno or part.lineno
            yield Statement(part.lineno, last, part, names=names_bound(part))


def _separate(node: ast.stmt) -> list[ast.stmt]:
    """Return an import of several names as several imports: a missing name costs only itself."""
    if isinstance(node, ast.Import) and len(node.names) > 1:
        return [ast.copy_location(ast.Import([name]), node) for name in node.names]
    if isinstance(node, ast.ImportFrom) and len(node.names) > 1:
        return [
            ast.copy_location(ast.ImportFrom(node.module, [name], node.level), node)
            for name in node.names
        ]
    return [node]


def _parts(cell: Lines) -> list[Lines]:
    """Return a cell's lines as parts that parse, and parts that cannot be parsed."""
    if isinstance(cell.parsed, ast.Module):
        return [cell]
    parts: list[Lines] = []
    for part in _joined(cell.beginnings()):
        smaller = _without_stray_lines(part)
        if parts and _is_torn(parts[-1], smaller):
            parts[-1] = together([parts[-1], part])
            continue
        for small in smaller:
            if parts and _is_prose(parts[-1]) and _is_prose(small):
                parts[-1] = together([parts[-1], small])
            else:
                parts.append(small)
    return parts


def _joined(parts: list[Lines]) -> Iterator[Lines]:
    """Yield the parts, joining neighbours that only parse together."""
    budget = _MOST_CHARACTERS
    at = 0
    while at < len(parts):
        taken = 1
        found = parts[at]
        more = 1
        while not isinstance(found.parsed, ast.Module) and budget > 0:
            more += 1
            if more > _MOST_NEIGHBOURS or at + more > len(parts):
                break
            found = together(parts[at : at + more])
            budget -= len(found.text)
            taken = more
        if not isinstance(found.parsed, ast.Module):
            found, taken = parts[at], 1
        yield found
        at += taken


def _without_stray_lines(part: Lines) -> list[Lines]:
    """Return the part; if only stray lines below it keep it from parsing, return these separately.

    Stray lines are indented, but less than the body of the statement above them. Below a simple statement every
    indented line is stray.
    """
    if isinstance(part.parsed, ast.Module):
        return [part]
    indents = [
        (found.start(), len(found[0].expandtabs(8))) for found in _INDENTED.finditer(part.text)
    ]
    body = indents[0][1] if indents and _has_body(part) else len(part.text)
    stray = next((place for place, indent in indents if indent < body), None)
    if not stray or any(indent >= body for place, indent in indents if place > stray):
        return [part]
    right, rest = part.split([stray])
    return [right, rest] if isinstance(right.parsed, ast.Module) else [part]


def _has_body(part: Lines) -> bool:
    """Return whether the part begins with a statement that other lines belong to."""
    first = part.text.split("\n", 1)[0].partition("#")[0].rstrip()
    return first.endswith((":", "(", ",")) or bool(FUNCTION_OR_CLASS.match(part.text))


def _is_torn(part: Lines, below: list[Lines]) -> bool:
    """Return whether a line in column 0 splits a function or class: the indented lines below belong to its body."""
    last = below[-1]
    if not FUNCTION_OR_CLASS.match(part.text) or _has_body(below[0]):
        return False
    if isinstance(last.parsed, ast.Module) or not _INDENTED.search(last.text):
        return False
    if isinstance(part.parsed, ast.Module):
        return not _returns(part.parsed.body[-1])
    return len(below) == 1


def _is_prose(part: Lines) -> bool:
    """Return whether lines cannot be parsed and look like no statement with a body."""
    return not isinstance(part.parsed, ast.Module) and not _has_body(part)


def _returns(node: ast.stmt) -> bool:
    """Return whether the last line of a statement ends a function."""
    while body := getattr(node, "body", None):
        node = body[-1]
    return isinstance(node, ast.Return | ast.Raise)


def _cause(part: Lines) -> BaseException:
    """Return why the lines cannot be parsed. Python does not always see that tabs and spaces are mixed."""
    error = part.parsed
    assert isinstance(error, BaseException)
    if isinstance(error, IndentationError):
        indents = [found[0] for found in _INDENTED.finditer(part.text)]
        tabs = [found for found in _INDENTED.finditer(part.text) if "\t" in found[0]]
        if tabs and len(tabs) < len(indents):
            line = part.first + part.text.count("\n", 0, tabs[0].start())
            return TabError(_TABS_AND_SPACES, ("", line, 1, ""))
    return error
