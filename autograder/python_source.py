"""Read Python source that may be broken: its statements, definitions, lines and names. Nothing of it is run.

    statements     top-level statements, parsed; what Python cannot parse is cut where a statement can begin
    margin_parts   the same from the text alone: for a process that must not parse a whole hostile file
    named_lines    the lines that give something a name
    parsed         the syntax tree of a text that is Python

A piece that Python cannot parse is cut at its cells, and a cell that cannot be parsed at each line in column 0 that can
begin a statement. Neighbours that only parse together are joined again. All of this takes linear time: a submission may
be anything.
"""

from __future__ import annotations

import ast
import bisect
import itertools
import keyword
import math
import re
import textwrap
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.no_warnings import quiet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# A longer text is not parsed as a whole, only its parts: a tree takes some hundred times the memory of its text.
MOST_AT_ONCE = 100_000
# How many characters may be parsed to join neighbours, for each character of a cell.
_TIMES_JOINED = 10
# What parsing can raise for a text that is not Python.
_NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
_TABS_AND_SPACES = "inconsistent use of tabs and spaces in indentation"

# Where a cell of a percent script or of an exported notebook begins, also of PyCharm and of Databricks.
CELL = re.compile(r"^# ?(?:%%|In ?\[[\d ]*\]:|COMMAND -{3})", re.MULTILINE)
_BEGINS = re.compile(r"^(?!(?:elif|else|except|finally)\b)[^\s#)\]}]", re.MULTILINE)
_DEFINES = re.compile(r"^(?:(?:async\s+)?def\s|class\s)", re.MULTILINE)
_FUNCTION_OR_CLASS = re.compile(rf"^@|{_DEFINES.pattern}", re.MULTILINE)
SURELY_BEGINS = re.compile(
    rf"{_FUNCTION_OR_CLASS.pattern}|^import \w|^from [\w.]+ import ", re.MULTILINE
)
_INDENTED = re.compile(r"^[ \t]+(?=\S)", re.MULTILINE)
_SHORT_STRING = r'"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?'
_STRING_BEGINS = re.compile(rf"#[^\n]*|(\"\"\"|\'\'\')|{_SHORT_STRING}")
# An open string ends with its line or, in triple quotes, with the file: no character is tried twice.
STRING = rf"(?:\"\"\"[\s\S]*?(?:\"\"\"|\Z)|\'\'\'[\s\S]*?(?:\'\'\'|\Z)|{_SHORT_STRING})"
_NO_CODE = re.compile(rf"#[^\n]*|{STRING}")
_BRACKETS = re.compile(r"[()\[\]{}]")
_OPENED_BY = {")": "(", "]": "[", "}": "{"}
_NAMED = re.compile(
    r"^(?P<indent>[ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(?P<defined>\w+)"
    r"|^(?P<assigned>\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*(?::[^=\n]*)?=(?!=)"
    r"|^(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+\(?(?P<imported>[\w., \t]+)"
    r"|^\w+[ \t]+(?P<perhaps>\w+)[ \t]*\(",  # the `def` is misspelt
    re.MULTILINE,
)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_OWN_NAMES = (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


@dataclass(frozen=True)
class Statement:
    """One top-level statement, or lines that Python cannot parse.

    Attributes:
        first, last: the numbers of its lines.
        tree: the parsed statement; None if it cannot be parsed.
        error: why it cannot be parsed.
        names: the names that it defines, or should have defined.
        read: the characters of the piece up to the end of the text that was parsed for it.
    """

    first: int
    last: int
    tree: ast.stmt | None = None
    error: BaseException | None = None
    names: tuple[str, ...] = ()
    read: int = 0


@dataclass(frozen=True)
class NamedLine:
    """A line that gives something a name, as its kind says.

    The kinds are "defined", "assigned", "imported", and "perhaps" for what looks like a misspelt definition.
    """

    name: str
    kind: str
    line: int
    indent: int = 0
    piece: int = 0
    label: str = ""


@dataclass
class Lines:
    """Some lines of a piece: the number of the first, the text, and how many characters stand before it."""

    first: int
    text: str
    before: int = 0

    @property
    def last(self) -> int:
        """The number of the last line that is not empty."""
        return self.first + self.text.rstrip().count("\n")

    @property
    def end(self) -> int:
        """How many characters of the piece stand before its end."""
        return self.before + len(self.text)

    @property
    def tree(self) -> ast.Module | None:
        """The syntax tree, with the line numbers of the piece; None if Python cannot parse the lines."""
        return self._parsed if isinstance(self._parsed, ast.Module) else None

    @property
    def error(self) -> BaseException | None:
        """Why Python cannot parse the lines."""
        return None if isinstance(self._parsed, ast.Module) else self._parsed

    @cached_property
    def _parsed(self) -> ast.Module | BaseException:
        try:
            tree = ast.parse(self.text)
        except _NO_PYTHON as error:
            return _moved(error, self.first - 1)
        return ast.increment_lineno(tree, self.first - 1) if self.first > 1 else tree

    def split(self, starts: list[int]) -> list[Lines]:
        """Return the lines as parts that begin at these places of the text."""
        places = [0, *(start for start in starts if start), len(self.text)]
        parts = []
        number = self.first
        for start, end in itertools.pairwise(places):
            text = self.text[start:end]
            parts.append(Lines(number, text, self.before + start))
            number += text.count("\n")
        return parts

    def cells(self) -> list[Lines]:
        """Return the lines as the cells of a script, which begin with `# %%` or `# In[3]:`."""
        return self.split([found.start() for found in CELL.finditer(self.text)])

    def beginnings(self) -> list[Lines]:
        """Return the lines, cut at each line in column 0 that can begin a statement.

        A line inside a string of several lines cannot. A decorator begins the statement that follows it.
        """
        found = []
        decorated = False
        for match in _outside_of_strings(_BEGINS, self.text):
            if not decorated:
                found.append(match.start())
            decorated = match[0] == "@"
        return self.split(found)


def parsed(text: str) -> ast.Module | None:
    """Return the syntax tree of a text; None if it is not Python."""
    with quiet():  # for example for "\d"
        return Lines(1, text).tree


def without(source: str, unwanted: Iterable[ast.stmt]) -> str:
    """Return a source with `pass` in the place of some of its statements, given in order. Lines keep their numbers."""
    lines = source.encode().split(b"\n")  # the parser counts bytes
    for statement in reversed(list(unwanted)):
        first, last = statement.lineno - 1, (statement.end_lineno or statement.lineno) - 1
        decorators = getattr(statement, "decorator_list", [])
        first = min([first, *(one.lineno - 1 for one in decorators)])
        after = lines[last][statement.end_col_offset :]  # perhaps `; x = 1`
        begins = 0 if decorators else statement.col_offset
        lines[first] = lines[first][:begins] + b"pass" + after
        lines[first + 1 : last + 1] = [b""] * (last - first)
    return b"\n".join(lines).decode()


def excerpt(lines: list[str], start: int, end: int | None) -> str:
    """Return lines from a column of the first up to a column of the last. Columns count bytes, as the parser does."""
    rows = [line.encode() for line in lines]
    rows[-1] = rows[-1][:end]
    rows[0] = rows[0][start:]
    return b"".join(rows).decode(errors="replace")


def together(parts: list[Lines]) -> Lines:
    """Return neighbours as one."""
    first, *others = parts
    return replace(first, text="".join(part.text for part in parts)) if others else first


def _moved(error: BaseException, by: int) -> BaseException:
    """Return a syntax error with the line numbers of the piece, also in its message."""
    if by and isinstance(error, SyntaxError):
        error.lineno = (error.lineno or 1) + by
        error.msg = re.sub(
            r"\bline (\d{1,9})", lambda found: f"line {int(found[1]) + by}", error.msg
        )
    return error


# Statements, parsed.


def statements_of(
    pieces: Iterable[tuple[str, str]], most: float = math.inf
) -> Iterator[tuple[str, str, Statement]]:
    """Yield the statements of a submission's pieces, each with the label and the source of its piece.

    Args:
        most: only the statements within so many characters of all pieces are yielded; no others are parsed alone.
    """
    before = 0
    for label, source in pieces:
        found = statements(source, before, most) if before < most else ()
        yield from ((label, source, one) for one in found if one.read <= most)
        before += len(source)


def statements(source: str, before: int = 0, most: float = math.inf) -> Iterator[Statement]:
    """Yield the statements of a piece of source, in order. Lines keep their numbers.

    Args:
        before, most: the characters of the pieces before this one, and how many of all may be read.
    """
    whole = Lines(1, source, before)
    if _is_python(whole):
        yield from _of_part(whole)
        return
    if len(source) <= MOST_AT_ONCE and source.lstrip("\r\n")[:1] in (" ", "\t"):
        moved = replace(whole, text=textwrap.dedent(source))
        if moved.tree:
            yield Statement(1, 1, error=whole.error)
            yield from _of_part(moved)
            return
    with quiet():  # the first attempt has given the warnings
        for cell in whole.cells():
            for part in _parts(cell, most):
                yield from _of_part(part)


def _of_part(part: Lines) -> Iterator[Statement]:
    if part.tree is None:
        names = names_in(part.text)
        yield Statement(part.first, part.last, None, _cause(part), names, part.end)
        return
    for node in part.tree.body:
        for one in _separate(node):
            last = one.end_lineno or one.lineno
            yield Statement(one.lineno, last, one, None, names_bound(one), part.end)


def _is_python(part: Lines) -> bool:
    """Return whether a piece or a cell can be parsed. A long one is not tried."""
    return len(part.text) <= MOST_AT_ONCE and part.tree is not None


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


def _parts(cell: Lines, most: float) -> Iterator[Lines]:
    """Yield a cell's lines as parts that parse, and parts that cannot be parsed."""
    if _is_python(cell):
        yield cell
        return
    group: list[Lines] = []
    for part in _joined(cell.beginnings(), most):
        smaller = _without_stray_lines(part)
        if group and _is_torn(group, smaller):
            group.append(part)
            continue
        for small in smaller:
            if group and not (_is_prose(group[0]) and _is_prose(small)):
                yield together(group)
                group = []
            group.append(small)
    if group:
        yield together(group)


def _joined(parts: list[Lines], most: float) -> Iterator[Lines]:
    """Yield the parts. Join neighbours that only parse together: all up to the one that closes what the first opens."""
    left = _TIMES_JOINED * (parts[-1].end - parts[0].before)
    closed, endless = _ends(parts)
    at = 0
    while at < len(parts) and parts[at].end <= most:
        found, after = parts[at], at + 1
        if closed[at] > at and at not in endless and left > 0 and not found.tree:
            after = _after(at, closed)
            found = together(parts[at:after])
            left -= len(found.text)
            if found.end > most:
                return
            if not found.tree:
                found, after = parts[at], at + 1
        yield found
        at = after


def _ends(parts: list[Lines]) -> tuple[list[int], dict[int, int]]:
    """Return the number of the part that closes what each part opens, and where what is never closed ends.

    That is before the next function or class. A backslash at the end of a line opens the next one, and a decorator that
    was cut opens the definition below it.
    """
    closed = list(range(len(parts)))
    endless: dict[int, int] = {}
    opened: list[int] = []
    code, decorator = "", None
    for number, part in enumerate(parts):
        if code.endswith("\\\n") and not _DEFINES.match(part.text):
            closed[number - 1] = max(closed[number - 1], number)
        elif _FUNCTION_OR_CLASS.match(part.text):
            endless.update(dict.fromkeys(opened, number - 1))
            if decorator is not None:
                closed[decorator] = number
            decorator = None if _DEFINES.search(part.text) else number
            opened = []
        code = code_of(part.text)
        for bracket in _BRACKETS.findall(code):
            if bracket not in _OPENED_BY:
                opened.append(number)
            elif opened:
                closed[opened.pop()] = number
    return closed, endless | dict.fromkeys(opened, len(parts) - 1)


def _after(at: int, ends: list[int]) -> int:
    """Return the number of the part behind all that the parts from one on open."""
    end = ends[at]
    while at < end:
        at += 1
        end = max(end, ends[at])
    return end + 1


def _without_stray_lines(part: Lines) -> list[Lines]:
    """Return the part; if only stray lines below it keep it from parsing, return these separately.

    Stray lines are indented, but less than the body of the statement above them. Below a simple statement every
    indented line is stray.
    """
    if part.tree:
        return [part]
    indents = [
        (found.start(), len(found[0].expandtabs(8))) for found in _INDENTED.finditer(part.text)
    ]
    body = indents[0][1] if indents and _has_body(part) else len(part.text)
    stray = next((place for place, indent in indents if indent < body), None)
    if not stray or any(indent >= body for place, indent in indents if place > stray):
        return [part]
    right, rest = part.split([stray])
    return [right, rest] if right.tree else [part]


def _has_body(part: Lines) -> bool:
    """Return whether the part begins with a statement that other lines belong to."""
    first = part.text.split("\n", 1)[0].partition("#")[0].rstrip()
    return first.endswith((":", "(", ",")) or bool(_FUNCTION_OR_CLASS.match(part.text))


def _is_torn(group: list[Lines], below: list[Lines]) -> bool:
    """Return whether a line in column 0 splits a function or class: the indented lines below belong to its body."""
    part, last = group[0], below[-1]
    if not _FUNCTION_OR_CLASS.match(part.text) or _has_body(below[0]):
        return False
    if last.tree or not _INDENTED.search(last.text):
        return False
    return not _returns(part.tree.body[-1]) if part.tree and not group[1:] else len(below) == 1


def _is_prose(part: Lines) -> bool:
    """Return whether lines cannot be parsed and look like no statement with a body."""
    return not part.tree and not _has_body(part)


def _returns(node: ast.stmt) -> bool:
    """Return whether the last line of a statement ends a function."""
    while body := getattr(node, "body", None):
        node = body[-1]
    return isinstance(node, ast.Return | ast.Raise)


def _cause(part: Lines) -> BaseException | None:
    """Return why the lines cannot be parsed. Python does not always see that tabs and spaces are mixed."""
    if isinstance(part.error, IndentationError):
        indents = list(_INDENTED.finditer(part.text))
        tabs = [found for found in indents if "\t" in found[0]]
        if tabs and len(tabs) < len(indents):
            line = part.first + part.text.count("\n", 0, tabs[0].start())
            return TabError(_TABS_AND_SPACES, ("", line, 1, ""))
    return part.error


# The same from the text alone.


def limited(pieces: Iterable[tuple[str, str]], characters: int) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a submission, each a label and source, up to so many characters, in whole lines."""
    for label, source in pieces:
        fits = (
            source if len(source) <= characters else source[: source.rfind("\n", 0, characters) + 1]
        )
        yield label, fits
        characters -= len(fits)


def margin_parts(source: str) -> Iterator[Lines]:
    """Yield the statements at the left margin without parsing them.

    A line at the margin inside brackets belongs to the statement above it, unless it begins a definition: then a
    bracket was left open.
    """
    parts = Lines(1, source).beginnings()
    closed, endless = _ends(parts)
    ends = [endless.get(number, end) for number, end in enumerate(closed)]
    at = 0
    while at < len(parts):
        after = _after(at, ends)
        yield together(parts[at:after])
        at = after


def code_of(text: str) -> str:
    """Return a text without its strings and comments."""
    return _NO_CODE.sub("", text)


def open_brackets(text: str) -> str:
    """Return the brackets that a text opens and does not close."""
    still: list[str] = []
    for bracket in _BRACKETS.findall(code_of(text)):
        if bracket not in _OPENED_BY:
            still.append(bracket)
        elif still:
            still.pop()
    return "".join(still)


def named_lines(source: str, piece: int = 0, label: str = "") -> Iterator[NamedLine]:
    """Yield the lines that give something a name: definitions at any indentation, all others at the left margin.

    Args:
        piece, label: the number and the name of the file or cell that the source is.
    """
    line, last = 1, 0
    for found in _outside_of_strings(_NAMED, source):
        line += source.count("\n", last, found.start())
        last = found.start()
        kind = found.lastgroup or ""
        for words in found[kind].split(","):
            name = words.split(" as ")[-1].strip().split(".")[0]
            if name.isidentifier() and not keyword.iskeyword(name):
                yield NamedLine(name, kind, line, len(found["indent"] or ""), piece, label)


def _outside_of_strings(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what is found outside of strings of several lines."""
    strings = _long_strings(text)
    starts = [start for start, _ in strings]
    for found in pattern.finditer(text):
        before = bisect.bisect_left(starts, found.start()) - 1
        if before < 0 or found.start() >= strings[before][1]:
            yield found


def _long_strings(text: str) -> list[tuple[int, int]]:
    """Return where strings in triple quotes begin and end.

    If one has no end, strings that begin behind other text, as a docstring does, end before the next function, class or
    import: any of them may be the one.
    """
    strings = list(_pairs_of_quotes(text))
    if strings and strings[-1][1] is None:
        strings = list(_pairs_of_quotes(text, ends_before=SURELY_BEGINS))
    return [(start, end or len(text)) for start, end in strings]


def _pairs_of_quotes(
    text: str, ends_before: re.Pattern[str] | None = None
) -> Iterator[tuple[int, int | None]]:
    """Yield where strings in triple quotes begin and end; the last one may have no end."""
    stops = [found.start() for found in ends_before.finditer(text)] if ends_before else []
    place = 0
    while found := _STRING_BEGINS.search(text, place):
        place = found.end()
        if found[1] is None:
            continue
        first_on_its_line = not found.start() or text[found.start() - 1] == "\n"
        at = len(stops) if first_on_its_line else bisect.bisect_left(stops, place)
        later = stops[at : at + 1]
        closing = re.compile(rf"(?:\\.|[^\\])*?{found[1]}", re.DOTALL).match(text, place, *later)
        end = closing.end() if closing else next(iter(later), None)
        yield found.start(), end
        if end is None:
            return
        place = end


# Names.


def names_in(text: str) -> tuple[str, ...]:
    """Return the names that lines should define which Python cannot parse."""
    return tuple(dict.fromkeys(line.name for line in named_lines(text) if not line.indent))


def names_bound(node: ast.stmt) -> tuple[str, ...]:
    """Return the names that a top-level statement binds."""
    names: list[str] = []
    waiting: list[ast.AST] = [node]
    for part in waiting:
        if isinstance(part, _DEFINITIONS):
            names.append(part.name)
            continue
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.append(part.id)
        if isinstance(part, ast.alias):
            names.append((part.asname or part.name).split(".")[0])
        if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name:
            names.append(part.name)
        if isinstance(part, _OWN_NAMES):  # `:=` binds outside of them
            inner = (found for found in ast.walk(part) if isinstance(found, ast.NamedExpr))
            waiting += [found.target for found in inner]
        else:
            waiting += ast.iter_child_nodes(part)
    return tuple(dict.fromkeys(names))


def packages_imported(tree: ast.AST) -> Iterator[tuple[ast.stmt, str]]:
    """Yield the statements that import, each with the name of a package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None)
            modules = [module] if module else [one.name for one in node.names]
            yield from ((node, name.partition(".")[0]) for name in modules)


def attributes_assigned(node: ast.AST) -> Iterator[tuple[str, str, int]]:
    """Yield the attributes that code assigns to or deletes: the object as it is written, the name, and the line."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
            yield path_of(part.value), part.attr, part.lineno
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            given = part.args[:2] if part.func.id in ("setattr", "delattr") else []
            if len(given) == 2 and isinstance(given[1], ast.Constant):  # noqa: PLR2004
                yield path_of(given[0]), str(given[1].value), part.lineno


def path_of(node: ast.AST) -> str:
    """Return a name as it is written, such as `keys` or `torch.nn`; empty for anything else."""
    if isinstance(node, ast.Attribute):
        owner = path_of(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return node.id if isinstance(node, ast.Name) else ""
