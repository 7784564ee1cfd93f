"""`feedback.html`: one student's results as a page, with the student's own lines and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autograder.explain import feedback_text
from autograder.explain.feedback_text import is_place, mark_words, shown_lines
from autograder.reports.number_tables import NumberTable, own_table
from autograder.reports.pages.html import render
from autograder.reports.step_state import OUTCOMES, State, state_of, where_to_begin
from autograder.text import without_invisible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from autograder.reports.graded_class import Entry
    from autograder.results import Block, CheckResult, Feedback
    from autograder.submission.step_source import StepSource

FEEDBACK_FILE = "feedback.html"

# The page shows at most so many lines of a step, characters of each, and characters of all notes on the file.
MOST_LINES = 100
MOST_COLUMNS = 200
MOST_NOTES = 4_000
# A docstring of several lines, behind a line that ends with a colon.
_DOCSTRING = re.compile(
    r"(?<=:\n)[ \t]*(\"{3}|'{3})(?:(?!\1)[^\n])*\n(?:(?!\1).)*\1[ \t]*$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Line:
    """A line of source.

    Attributes:
        number: its number in its file or cell.
        marked: an error arose there, or the first value that is not right.
        computed: the shape and the mark of what it computed, if that is known.
    """

    number: int
    text: str
    marked: bool = False
    computed: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Lines:
    """Lines of one file or cell. `more` counts the lines that are left out."""

    piece: str
    lines: tuple[Line, ...]
    more: int = 0


@dataclass(frozen=True)
class Step:
    """One step of the page.

    Attributes:
        is_first: whether it is the first to work on, which the page shows unfolded.
        picture: the student's numbers as a table with colours.
        source: the student's lines of the step.
        elsewhere: the lines of the traceback and of the trace that `source` does not have.
    """

    check: CheckResult
    state: State
    number: int
    is_first: bool = False
    picture: NumberTable | None = None
    source: Lines | None = None
    elsewhere: tuple[Lines, ...] = ()


def feedback_page(entry: Entry) -> bytes:
    """Return the page as bytes: one file that needs no other."""
    result = entry.result
    steps = _steps(entry)
    return render(
        "feedback.html.jinja",
        result=result,
        name=entry.name,
        notes=_notes(result.about),
        steps=steps,
        first=next((step for step in steps if step.is_first), None),
        most=MOST_NOTES,
        text=feedback_text,
    )


def _notes(about: Iterable[Block]) -> list[Block]:
    """Return what is said about the file as a whole, up to MOST_NOTES characters."""
    notes, left = [], MOST_NOTES
    for block in about:
        notes += [replace(block, text=block.text[:left])] if left > 0 else []
        left -= len(block.text)
    return notes


def _steps(entry: Entry) -> list[Step]:
    first = where_to_begin(entry.result.checks) if entry.is_graded else None
    sources = entry.steps
    return [
        _step(check, number, sources.get(check.step), is_first=check is first)
        for number, check in enumerate(entry.result.checks, start=1)
    ]


def _step(check: CheckResult, number: int, source: StepSource | None, *, is_first: bool) -> Step:
    state, feedback, shown = state_of(check), check.feedback, None
    if feedback is None:
        return Step(check, state, number, is_first)
    if source is not None and not (state.is_right or OUTCOMES[check.outcome].is_open):
        shown = step_lines(source, feedback)
    picture = own_table(feedback.numbers) if feedback.numbers else None
    return Step(check, state, number, is_first, picture, shown, lines_elsewhere(feedback, shown))


def step_lines(source: StepSource, feedback: Feedback) -> Lines:
    """Return the first lines of a step: a page must not grow with what was handed in.

    Of the first docstring one line stays: it is that of the release, in nearly every submission.
    """
    known = {line.number: line for file, line in _known_lines(feedback) if file == source.piece}
    texts = dict(enumerate(source.text.split("\n"), start=source.first))
    if found := _DOCSTRING.search(source.text):
        first = source.first + source.text.count("\n", 0, found.start())
        texts[first] += f" ... {found[1]}"
        for number in range(first + 1, first + 1 + found[0].count("\n")):
            del texts[number]
    lines = []
    for number, text in texts.items():
        shown = without_invisible(text).expandtabs(4)[:MOST_COLUMNS]
        lines.append(replace(known.get(number, Line(number, "")), text=shown))
    return Lines(source.piece, tuple(lines[:MOST_LINES]), len(lines[MOST_LINES:]))


def lines_elsewhere(feedback: Feedback, shown: Lines | None) -> tuple[Lines, ...]:
    """Return the known lines that `shown` does not contain already."""
    shown_places = {(shown.piece, line.number) for line in shown.lines} if shown else set()
    found: dict[str, list[Line]] = {}
    for file, line in _known_lines(feedback):
        if (file, line.number) not in shown_places and line.text:
            found.setdefault(file, []).append(line)
    return tuple(Lines(file, tuple(lines)) for file, lines in found.items())


def _known_lines(feedback: Feedback) -> list[tuple[str, Line]]:
    """Return the lines of the trace, or else of the traceback, each with its file."""
    raised = not feedback.traced
    return [
        (
            one.file,
            Line(
                one.line,
                one.text[:MOST_COLUMNS],
                raised or is_place(one),
                (one.shape, mark_words(one)),
            ),
        )
        for one in shown_lines(feedback)
    ]
