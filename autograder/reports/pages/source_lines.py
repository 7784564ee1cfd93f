"""The student's own lines: the source of a step, with the lines where an error arose."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autograder.text import without_invisible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.results import Frame
    from autograder.submission.step_source import StepSource

MOST_LINES = 100
MOST_COLUMNS = 200
# The characters of markup for each line.
LINE_COST = 64
_QUOTES = re.compile(r"\s*(?:\"\"\"|''')")
_LENGTH = 3


@dataclass(frozen=True)
class Line:
    """A line of source, its number in its file or cell, and whether an error arose there."""

    number: int
    text: str
    marked: bool = False


@dataclass(frozen=True)
class Lines:
    """Lines of one file or cell. `more` counts the lines that are left out."""

    piece: str
    lines: tuple[Line, ...]
    more: int = 0

    @property
    def size(self) -> int:
        """About how many characters these lines have on the page."""
        return sum(len(line.text) + LINE_COST for line in self.lines)


def step_lines(source: StepSource, frames: Iterable[Frame], budget: int) -> Lines:
    """Return the lines of a step without its docstring, whose markup has at most `budget` characters.

    Args:
        source: the step's source.
        frames: the student's lines in a traceback.
        budget: a page must not grow with what was handed in.
    """
    marked = {frame.line for frame in frames if frame.file == source.piece}
    every = without_invisible(source.text[: budget + 1]).expandtabs(4).split("\n")
    lines = [Line(source.first + offset, text[:MOST_COLUMNS]) for offset, text in enumerate(every)]
    lines, left_out = _without_docstring(lines)
    shown, used = [], 0
    for line in lines[:MOST_LINES]:
        used += len(line.text) + LINE_COST
        if used > budget:
            break
        shown.append(replace(line, marked=line.number in marked))
    more = source.text.count("\n") + 1 - left_out - len(shown)
    return Lines(source.piece, tuple(shown), more)


def _without_docstring(lines: list[Line]) -> tuple[list[Line], int]:
    """Return the lines without the first docstring, of which one line stays, and how many are left out.

    The docstring is that of the release, in nearly every submission.
    """
    begin = next((at for at, line in enumerate(lines) if _QUOTES.match(line.text)), None)
    if begin is None or not lines[begin - 1].text.rstrip().endswith(":"):
        return lines, 0
    quotes = lines[begin].text.lstrip()[:_LENGTH]
    if quotes in lines[begin].text.lstrip()[_LENGTH:]:
        return lines, 0
    ends = (at for at in range(begin + 1, len(lines)) if quotes in lines[at].text)
    end = next(ends, None)
    if end is None or lines[end].text.rstrip()[-_LENGTH:] != quotes:
        return lines, 0
    short = replace(lines[begin], text=f"{lines[begin].text} ... {quotes}")
    return [*lines[:begin], short, *lines[end + 1 :]], end - begin


def frame_lines(frames: Iterable[Frame], shown: Lines | None) -> tuple[Lines, ...]:
    """Return the lines of a traceback that `shown` does not contain already."""
    shown_places = {(shown.piece, line.number) for line in shown.lines} if shown else set()
    return tuple(
        Lines(frame.file, (Line(frame.line, frame.text[:MOST_COLUMNS], marked=True),))
        for frame in frames
        if (frame.file, frame.line) not in shown_places and frame.text
    )
