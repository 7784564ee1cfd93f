"""Remove magics and checks from a notebook's cell. All lines keep their line numbers."""

from __future__ import annotations

import ast
import itertools
import re
from typing import TYPE_CHECKING

from autograder.python_source import STRING, SURELY_BEGINS

if TYPE_CHECKING:
    from collections.abc import Callable

_CHECK = "check"
_CHECK_MODULE = "autograder.notebook"
# A shell command may go on behind a backslash. An indented `get_ipython()` in a `try` block is Python.
_REST = r"(?:\\\n|[^\n])*"
_HELP = r"(?:\?{1,2}[A-Za-z_][\w.]{0,200}|[A-Za-z_][\w.]{0,200}\?{1,2})[ \t]*$"
_EXPORTED = rf"get_ipython\(\)\.{_REST}"
_MAGIC = re.compile(
    rf"^(?:(?P<indent>[ \t]*)(?:(?:%%?[A-Za-z_]|!(?!=)){_REST}|{_HELP})|{_EXPORTED})", re.MULTILINE
)
_INDENTED = re.compile(r"(?:[ \t]*\n)*([ \t]+)(?=\S)")
_CELL_MAGIC = re.compile(r"\s*%%(\w+)([^\n]*)")
_PYTHON_FILE = re.compile(r"(?:[ \t]+\S+)*[ \t]+\S+\.py[ \t]*$")
# What may hold a line that looks like one for a notebook and is Python: strings, brackets, the line behind a backslash.
_TOKEN = re.compile(rf"\n|\\\n|[()\[\]{{}}]|#[^\n]*|{STRING}|[^\n\\()\[\]{{}}#'\"]+|\\")
_DEEPER = dict.fromkeys("([{", 1) | dict.fromkeys(")]}", -1)
# What a terminal writes before each line of a session. IPython leaves that out of a cell, too.
_PROMPT = re.compile(r"^(?:>>>|\.\.\.|In \[\d{1,9}\]:|[ ]{0,20}\.{3,9}:)(?: |$)", re.MULTILINE)
_FIRST_PROMPT = re.compile(r"^(?:>>>|In \[\d{1,9}\]:) ", re.MULTILINE)
# These magics run the rest of the cell as Python. Other cells may be in another language.
_RUN_PYTHON = ("capture", "prun", "time", "timeit")
# So many of these cells are read: each piece of a file has the empty lines of all before it.
MOST_TIMED = 200
_TIMED = re.compile(
    rf"^get_ipython\(\)\.run_cell_magic\("
    rf"(?:'(?:{'|'.join(_RUN_PYTHON)})', '[^'\n]*'|'(?:writefile|file)', '[^'\n]*\.py'), ({STRING})\)[ \t]*$",
    re.MULTILINE,
)
_CHECK_IMPORTED = f"from {_CHECK_MODULE} import {_CHECK}"
# The notebook imports `check` in a `try` block.
_CHECK_LINE = re.compile(
    r"^((?:[^\n#'\"();]{0,200};[ \t]*+){0,20})check\(([^()]{0,200})\)(?=[ \t]*(?:[;#]|$))"
    r"|^([ \t]*)from autograder\.notebook import check\b[ \t;]*(?=#|$)",
    re.MULTILINE,
)


def without_magics(source: str) -> tuple[str, tuple[str, ...]]:
    """Return the source with empty lines for `%magic` and `!shell` lines, and the removed lines.

    A cell in another language becomes empty; only its cell magic counts as a removed line. An indented cell moves to
    the left margin.
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    first = _CELL_MAGIC.match(source)
    if first and not _holds_python(*first.groups()):
        return "\n" * source.count("\n"), (f"%%{first[1]}",)
    return _without(without_prompts(_moved_left(source)))


def _holds_python(magic: str, arguments: str) -> bool:
    """Return whether a cell with this magic holds Python: it runs the cell, or writes it into a Python file."""
    writes = magic in ("writefile", "file") and _PYTHON_FILE.match(arguments[:500])
    return magic in _RUN_PYTHON or bool(writes)


def without_prompts(source: str) -> str:
    """Return the source without the prompts of a session that was copied from a terminal."""
    return _PROMPT.sub("", source) if _FIRST_PROMPT.search(source) else source


def _moved_left(source: str) -> str:
    """Return a cell without the indentation of its first line that is not blank, as IPython runs it."""
    found = _INDENTED.match(source)
    return source.replace("\n" + found[1], "\n").removeprefix(found[1]) if found else source


def exported(source: str, whole: str = "") -> tuple[str, tuple[str, ...]]:
    """Return a file's source without magics and, if it is an exported notebook, checks; and the removed magics.

    Args:
        whole: the whole file, if the source is a part of it.
    """
    has_checks = _CHECK_IMPORTED in (whole or source)
    source, dropped = _without(without_prompts(source))
    return without_check_lines(source) if has_checks else source, dropped


def timed_cells(source: str) -> list[tuple[str, str]]:
    """Cut an exported notebook's source at its timed cells: `nbconvert` writes each as a text on one line.

    Return pairs of a name and source. The name is empty for what stands between these cells, which keeps its line
    numbers.
    """
    found: list[tuple[str, str]] = []
    start = 0
    for match in itertools.islice(_TIMED.finditer(source), MOST_TIMED):
        try:
            text = ast.literal_eval(match[1])
        except SyntaxError:  # the text has no end
            continue
        line = source.count("\n", 0, match.start()) + 1
        found.append(("", "\n" * source.count("\n", 0, start) + source[start : match.start()]))
        found.append((f"cell in line {line}", text))
        start = match.end()
    found.append(("", "\n" * source.count("\n", 0, start) + source[start:]))
    return found


def _without(source: str) -> tuple[str, tuple[str, ...]]:
    """Return the source with empty lines for magics, or `pass` for the first line of a block; and the magics."""
    dropped: list[str] = []

    def emptied(found: re.Match[str]) -> str:
        dropped.append(found[0].partition("\n")[0].strip())
        indent, lines = found["indent"] or "", "\n" * found[0].count("\n")
        above = source[source.rfind("\n", 0, max(found.start() - 1, 0)) + 1 : found.start()]
        opens = above.partition("#")[0].rstrip().endswith(":")
        return f"{indent}pass{lines}" if indent and opens else lines

    return _replaced(source, _MAGIC, emptied), tuple(dropped)


def without_check_lines(source: str) -> str:
    """Return the source with `pass` in the place of each call and each import of `check`. Lines keep their numbers."""
    return _replaced(source, _CHECK_LINE, _passed) if _CHECK in source else source


def _replaced(source: str, lines: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> str:
    """Replace lines where a statement can begin: not inside a string or brackets, nor behind a backslash.

    Submissions are untrusted, so the source is only cut into tokens, in linear time. An open bracket ends before the
    next function, class or import.
    """
    if not lines.search(source):
        return source
    found, place, opened, begins = [], 0, 0, True
    while place < len(source):
        if begins and SURELY_BEGINS.match(source, place):
            opened = 0
        line = lines.match(source, place) if begins and not opened else None
        token = line or _TOKEN.match(source, place)
        assert token is not None
        text = token[0]
        found.append(by(line) if line else text)
        opened = max(0, opened + _DEEPER.get(text, 0))
        begins = text == "\n"
        place = token.end()
    return "".join(found)


def _passed(found: re.Match[str]) -> str:
    before, arguments, indent = found.groups("")
    return before + indent + "\n" * arguments.count("\n") + "pass"
