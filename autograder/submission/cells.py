"""The Python in a notebook's cell: without magics and without checks. Lines keep their numbers."""

from __future__ import annotations

import ast
import re

from autograder.no_warnings import quiet

_CHECK = "check"
_CHECK_MODULE = "autograder.notebook"
# A line that goes on with `% d_k` or `!= d_k` is Python. So is `get_ipython()` where it stands in a `try`.
_MAGIC = re.compile(r"\s*(?:%%?[A-Za-z_]|!(?!=))|get_ipython\(\)\.")
# In a file they stand at the beginning of a line: where a notebook was exported, by hand or as `get_ipython()...`.
_MAGIC_IN_FILE = re.compile(r"^(?:%%?[A-Za-z_]|!(?!=)|get_ipython\(\)\.).*$", re.MULTILINE)
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
# These run the rest of their cell as what it is; others may be in another language.
_RUN_PYTHON = ("capture", "prun", "time", "timeit")
_CHECK_IMPORTED = f"from {_CHECK_MODULE} import {_CHECK}"
_CHECK_LINE = re.compile(
    r"^(check\([^()\n]*\)|from autograder\.notebook import check\b)[ \t;]*(?=#|$)", re.MULTILINE
)
# What compiling can raise for what is no Python.
_NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)


def without_magics(source: str) -> tuple[str, tuple[str, ...]]:
    """The source with `%magic` and `!shell` lines emptied, and these lines; of a cell in another language its first."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    first = _CELL_MAGIC.match(source)
    if first and first[1] not in _RUN_PYTHON:
        return "\n" * (len(lines) - 1), (first[0].strip(),)
    dropped = tuple(line.strip() for line in lines if _MAGIC.match(line))
    return "\n".join("" if _MAGIC.match(line) else line for line in lines), dropped


def exported(source: str) -> tuple[str, tuple[str, ...]]:
    """A file that was a notebook: its source without magics and checks, and the lines with magics."""
    dropped = tuple(line.strip() for line in _MAGIC_IN_FILE.findall(source))
    source = _MAGIC_IN_FILE.sub("", source) if dropped else source
    return without_check_lines(source) if _CHECK_IMPORTED in source else source, dropped


def without_check_lines(source: str) -> str:
    """The source with `pass` for each line that is a `check(...)` or imports it; a stranger's source is not parsed."""
    return _CHECK_LINE.sub("pass", source) if _CHECK in source else source


def without_check_calls(source: str) -> str:
    """The same for all calls of it, wherever they stand; for one's own source, which is parsed."""
    tree = parsed(source) if _CHECK in source else None
    if tree is None:
        return source
    lines = source.encode().split(b"\n")  # the parser counts bytes
    for statement in filter(_checks, reversed(tree.body)):
        first, last = statement.lineno - 1, (statement.end_lineno or statement.lineno) - 1
        after = lines[last][statement.end_col_offset :]  # perhaps `; x = 1`, which begins no line
        lines[first] = lines[first][: statement.col_offset] + b"pass" + after
        lines[first + 1 : last + 1] = [b""] * (last - first)
    return b"\n".join(lines).decode()


def parsed(source: str) -> ast.Module | None:
    """The source as a tree; None if it is no Python."""
    try:
        with quiet():  # such as for "\d": the kernel has said so
            tree = ast.parse(source)
            compile(
                source, "cell", "exec", dont_inherit=True
            )  # more is refused here than by the parser
            return tree
    except _NO_PYTHON:
        return None


def _checks(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name == _CHECK
        case ast.ImportFrom(module=module):
            return module == _CHECK_MODULE
    return False
