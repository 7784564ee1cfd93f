"""Read the rows of a truth table: a file in the percent format, with a cell for each row.

A cell is the header behind `# %% ` and a source, or edits of a base program in place of the source:

    #: old => new    `new` takes the place of each `old`
    #-old line       whole lines,
    #+new line       and the lines that take their place
    #=same line      a line that stays and says where new lines go; without one they go to the top
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[2]
MARK = "# %% "
EDITS = ("#:", "#-", "#+", "#=")


@dataclass(frozen=True)
class Cell:
    """A cell: its header, its lines, and where it stands: the file, and the number of the header's line."""

    header: str
    lines: tuple[str, ...]
    place: str


def read_cells(path: Path) -> list[Cell]:
    """Return the cells of a file. A header in square brackets is for the reader only."""
    before, *cells = f"\n{path.read_text(encoding='utf-8')}".split(f"\n{MARK}")
    number = before.count("\n") + 1
    found = []
    for cell in cells:
        header, _, text = cell.partition("\n")
        if not header.startswith("["):
            place = f"{path.relative_to(ROOT)}:{number}" if path.is_relative_to(ROOT) else str(path)
            found.append(Cell(header, tuple(text.strip("\n").split("\n")), place))
        number += cell.count("\n") + 1
    return found


@dataclass
class _Hunk:
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    ends: bool = False


def _hunks(lines: Iterable[str]) -> list[_Hunk]:
    """Return which lines stand in place of which: a hunk begins where an old line follows a new one."""
    hunks = [_Hunk()]
    for line in lines:
        sign, text = line[1], line[2:]
        if sign != "+" and hunks[-1].ends:
            hunks.append(_Hunk())
        if sign != "+":
            hunks[-1].old.append(text)
        if sign != "-":
            hunks[-1].new.append(text)
        hunks[-1].ends = sign == "+"
    return [hunk for hunk in hunks if hunk.old or hunk.new]


def _replaced(source: str, hunk: _Hunk) -> str:
    old, new = ("".join(f"\n{line}" for line in lines) for lines in (hunk.old, hunk.new))
    if old and f"\n{source}\n".count(f"{old}\n") != 1:
        raise ValueError(f"the edited program has these lines not once: {hunk.old}")
    return (
        f"\n{source}\n".replace(f"{old}\n", f"{new}\n", 1)[1:-1] if old else f"{new[1:]}\n{source}"
    )


def edited(base: str, lines: tuple[str, ...]) -> str:
    """Return the source that the lines of a cell stand for.

    Raises ValueError if an edit does not fit the base: the row would then be the unchanged program.
    """
    if not any(lines):
        return base
    if not lines[0].startswith(EDITS):
        return "\n".join(lines) + "\n"
    source = base.rstrip("\n")
    for hunk in _hunks(line for line in lines if not line.startswith("#:")):
        source = _replaced(source, hunk)
    pieces = dict(line[2:].strip().split(" => ", 1) for line in lines if line.startswith("#:"))
    for old in pieces:
        if old not in source:
            raise ValueError(f"{old!r} is not in the program that is to be edited")
    if pieces:
        longest_first = sorted(map(re.escape, pieces), key=len, reverse=True)
        source = re.sub("|".join(longest_first), lambda found: pieces[found[0]], source)
    return f"{source}\n"
