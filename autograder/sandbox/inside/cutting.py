"""Lines of source: parsed, split, and cut where a statement can begin."""

from __future__ import annotations

import ast
import bisect
import itertools
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# What parsing can raise for a text that is not Python.
NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
_CELL = re.compile(r"^# (?:%%|In ?\[[\d ]*\]:)", re.MULTILINE)
_BEGINS = re.compile(r"^(?!(?:elif|else|except|finally)\b)[^\s#)\]}]", re.MULTILINE)
_TEXT = re.compile(r'#[^\n]*|("""|\'\'\')|"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?')
FUNCTION_OR_CLASS = re.compile(r"^(?:@|(?:async\s+)?def\s|class\s)", re.MULTILINE)
_SURELY_BEGINS = re.compile(
    rf"{FUNCTION_OR_CLASS.pattern}|^import \w|^from [\w.]+ import ", re.MULTILINE
)


@dataclass
class Lines:
    """Some lines of a piece: the number of the first, and the text."""

    first: int
    text: str

    @property
    def last(self) -> int:
        """The number of the last line that is not empty."""
        return self.first + self.text.rstrip().count("\n")

    @cached_property
    def parsed(self) -> ast.Module | BaseException:
        """The syntax tree, with the line numbers of the piece, or why there is none."""
        try:
            tree = ast.parse(self.text)
        except NO_PYTHON as error:
            return _moved(error, self.first - 1) if self.first > 1 else error
        return ast.increment_lineno(tree, self.first - 1) if self.first > 1 else tree

    def split(self, starts: list[int]) -> list[Lines]:
        """Return the lines as parts that begin at these places of the text."""
        places = [0, *(start for start in starts if start), len(self.text)]
        parts = []
        number = self.first
        for start, end in itertools.pairwise(places):
            text = self.text[start:end]
            parts.append(Lines(number, text))
            number += text.count("\n")
        return parts

    def cells(self) -> list[Lines]:
        """Return the lines as the cells of a script, which begin with `# %%` or `# In[3]:`."""
        return self.split([found.start() for found in _CELL.finditer(self.text)])

    def beginnings(self) -> list[Lines]:
        """Return the lines, cut at each line in column 0 that can begin a statement.

        A line inside a string of several lines cannot. A decorator begins the statement that follows it.
        """
        strings = _long_strings(self.text)
        starts = [start for start, _ in strings]
        found = []
        decorated = False
        for match in _BEGINS.finditer(self.text):
            place = match.start()
            inside = bisect.bisect_left(starts, place) - 1
            if inside >= 0 and place < strings[inside][1]:
                continue
            if not decorated:
                found.append(place)
            decorated = self.text[place] == "@"
        return self.split(found)


def together(parts: list[Lines]) -> Lines:
    """Return neighbours as one."""
    return Lines(parts[0].first, "".join(part.text for part in parts))


def _moved(error: BaseException, by: int) -> BaseException:
    """Return a syntax error with the line numbers of the piece, also in its message."""
    if isinstance(error, SyntaxError):
        error.lineno = (error.lineno or 1) + by
        error.msg = re.sub(
            r"\bline (\d{1,9})", lambda found: f"line {int(found[1]) + by}", error.msg
        )
    return error


def _long_strings(text: str) -> list[tuple[int, int]]:
    """Return where strings in triple quotes begin and end.

    If one has no end, strings that begin behind other text, as a docstring does, end before the next function, class or
    import: any of them may be the one.
    """
    strings = list(_pairs_of_quotes(text))
    if not strings or strings[-1][1] is not None:
        return [(start, end or len(text)) for start, end in strings]
    shorter = _pairs_of_quotes(text, ends_before=_SURELY_BEGINS)
    return [(start, end or len(text)) for start, end in shorter]


def _pairs_of_quotes(
    text: str, ends_before: re.Pattern[str] | None = None
) -> Iterator[tuple[int, int | None]]:
    """Yield where strings in triple quotes begin and end; the last one may have no end."""
    place = 0
    while found := _TEXT.search(text, place):
        place = found.end()
        if found[1] is None:
            continue
        closing = re.compile(rf"(?:\\.|[^\\])*?{found[1]}", re.DOTALL).match(text, place)
        end = closing.end() if closing else None
        first_on_its_line = not found.start() or text[found.start() - 1] == "\n"
        if ends_before is not None and not first_on_its_line:
            other = ends_before.search(text, place, end or len(text))
            end = other.start() if other else end
        yield found.start(), end
        if end is None:
            return
        place = end
