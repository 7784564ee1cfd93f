"""Remove magics and checks from a notebook's cell. All lines keep their line numbers."""

from __future__ import annotations

import ast
import re

from autograder.no_warnings import quiet

_CHECK = "check"
_CHECK_MODULE = "autograder.notebook"
# A continuation line such as `% d_k` or `!= d_k` is Python. So is an indented `get_ipython()` in a
# `try` block.
_MAGIC = re.compile(r"\s*(?:%%?[A-Za-z_]|!(?!=))|get_ipython\(\)\.")
# Magics in an exported notebook start at column 0; Jupyter exports them as `get_ipython()...`.
_MAGIC_IN_FILE = re.compile(r"^(?:%%?[A-Za-z_]|!(?!=)|get_ipython\(\)\.).*$", re.MULTILINE)
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
# These magics run the rest of the cell as Python. Other cells may be in another language.
_RUN_PYTHON = ("capture", "prun", "time", "timeit")
_CHECK_IMPORTED = f"from {_CHECK_MODULE} import {_CHECK}"
_CHECK_LINE = re.compile(
    r"^(check\([^()\n]*\)|from autograder\.notebook import check\b)[ \t;]*(?=#|$)", re.MULTILINE
)
# Exceptions that compiling can raise for text that is not Python.
_NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)


def without_magics(source: str) -> tuple[str, tuple[str, ...]]:
    """Return the source with empty lines for `%magic` and `!shell` lines, and the removed lines.

    A cell in another language becomes empty; only its cell magic counts as a removed line.
    """
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    first = _CELL_MAGIC.match(source)
    if first and first[1] not in _RUN_PYTHON:
        return "\n" * (len(lines) - 1), (first[0].strip(),)
    dropped = tuple(line.strip() for line in lines if _MAGIC.match(line))
    return "\n".join("" if _MAGIC.match(line) else line for line in lines), dropped


def exported(source: str) -> tuple[str, tuple[str, ...]]:
    """Return an exported notebook's source without magics and checks, and the removed magics."""
    dropped = tuple(line.strip() for line in _MAGIC_IN_FILE.findall(source))
    source = _MAGIC_IN_FILE.sub("", source) if dropped else source
    return without_check_lines(source) if _CHECK_IMPORTED in source else source, dropped


def without_check_lines(source: str) -> str:
    """Return the source with `pass` for each line that calls or imports `check`.

    Submissions are untrusted, so the source is not parsed.
    """
    return _CHECK_LINE.sub("pass", source) if _CHECK in source else source


def without_check_calls(source: str) -> str:
    """Return the source with `pass` for each top-level statement that calls or imports `check`.

    The source is parsed, so use this only for the user's own source.
    """
    tree = parsed(source) if _CHECK in source else None
    if tree is None:
        return source
    lines = source.encode().split(b"\n")  # the parser counts bytes
    for statement in filter(_checks, reversed(tree.body)):
        first, last = statement.lineno - 1, (statement.end_lineno or statement.lineno) - 1
        after = lines[last][statement.end_col_offset :]  # perhaps `; x = 1`, after the call
        lines[first] = lines[first][: statement.col_offset] + b"pass" + after
        lines[first + 1 : last + 1] = [b""] * (last - first)
    return b"\n".join(lines).decode()


def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree of the source, or None if the source is not Python."""
    try:
        with quiet():  # for example for "\d": the kernel already showed the warning
            tree = ast.parse(source)
            compile(
                source, "cell", "exec", dont_inherit=True
            )  # the compiler refuses more than the parser
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
