"""The cells of a percent script, the single source of an assignment.

A cell has one of five kinds:

    text       Markdown
    given      imports and data
    step       one function or class with a solution region
    show       code that uses the steps; notebook only
    question   Markdown that a person marks, with model answer and marking scheme; notebook only

A step has the name of its function or class. Other cells have their kind and number as a name.
"""

import ast
import re
import symtable
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Literal

from autograder.errors import AssignmentError

CellKind = Literal["text", "given", "step", "show", "question"]

BEGIN_SOLUTION = "### BEGIN SOLUTION"
END_SOLUTION = "### END SOLUTION"
STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
BEGIN_SCHEME = "=== BEGIN MARK SCHEME ==="
END_SCHEME = "=== END MARK SCHEME ==="

_MARKER = re.compile(r"^# ?%%(?P<options>.*)$", re.MULTILINE)
# Reads a submission too, so it takes linear time: no part of the line is read twice.
_TAGS = re.compile(r"tags=\[([^\]]*)")
# A line that looks like a solution or marking scheme marker, in any spelling.
_MEANT = re.compile(r"#.*\b(begin|end)[ _-]*(solution|mark(ing)?[ _-]*scheme)", re.IGNORECASE)
_POINTS = re.compile(r"\bpoints=(\d+(?:\.\d+)?)(?!\S)")
_QUESTION = re.compile(
    rf"(?P<text>.+)\n{BEGIN_SOLUTION}\n(?P<answer>.+)\n{END_SOLUTION}"
    rf"\n+{BEGIN_SCHEME}\n(?P<scheme>.+)\n{END_SCHEME}",
    re.DOTALL,
)


@dataclass(frozen=True)
class Cell:
    """One cell: id (a step's name, or kind and number), kind, source and line in the script.

    Only a question has its own points. The points of a step are in its check.
    """

    id: str
    kind: CellKind
    source: str
    line: int
    points: float = 0.0


@dataclass(frozen=True)
class WrittenQuestion:
    """A question that a person marks. Each part is Markdown; students get only the text."""

    text: str
    answer: str
    scheme: str


def read_cells(text: str) -> tuple[Cell, ...]:
    """Split a percent script into cells.

    Raises AssignmentError if a solution region is misspelt, not closed, or outside a cell with
    exactly one function or class. Raises AssignmentError if a question has no points, no model
    answer or no marking scheme.
    """
    markers = list(_MARKER.finditer(text))
    ends = [marker.start() for marker in markers[1:]] + [len(text)]
    counts: dict[str, int] = {}
    cells = []
    for marker, end in zip(markers, ends, strict=False):
        body = text[marker.end() : end].lstrip("\n")
        source = body.rstrip("\n")
        kind = _kind(marker["options"], source)
        counts[kind] = counts.get(kind, 0) + 1
        name = f"{kind}-{counts[kind]}"
        line = text.count("\n", 0, end - len(body)) + 1
        if kind == "question":
            cells.append(Cell(name, kind, source, line, _points(marker["options"], line)))
            written_question(cells[-1])
            continue
        _refuse_open_regions(source, kind, line)
        name = _step_name(source, line) if kind == "step" else name
        cells.append(Cell(name, kind, source, line))
    return tuple(cells)


def written_question(cell: Cell) -> WrittenQuestion:
    """Return the parts of a question.

    Raises AssignmentError if a part is missing or a marker is misspelt.
    """
    match = _QUESTION.fullmatch(re.sub(r"^# ?", "", cell.source, flags=re.MULTILINE))
    parts = [part.strip() for part in match.groups()] if match else []
    # nbgrader treats every line with these words as a marker.
    meant = [line for line in _lines(parts) if _MEANT.search(f"# {line}")]
    if not parts or not all(parts) or meant:
        raise AssignmentError(
            f"line {cell.line}: a question; wanted a text, {BEGIN_SOLUTION!r}, a model answer, {END_SOLUTION!r}, "
            f"{BEGIN_SCHEME!r}, a marking scheme, {END_SCHEME!r}, all spelt so."
        )
    return WrittenQuestion(*parts)


def _lines(parts: list[str]) -> list[str]:
    return [line for part in parts for line in part.splitlines()]


def _points(options: str, line: int) -> float:
    match = _POINTS.search(options)
    if not match:
        raise AssignmentError(f"line {line}: no points; write `points=3` behind the tags.")
    return float(match[1])


def functions_of(text: str, path: str = "<restated>") -> tuple[Cell, ...]:
    """Return each function and class of a plain module as a cell, without the imports."""
    defined = [
        node
        for node in ast.parse(text, path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    return tuple(Cell(node.name, "step", ast.unparse(node), node.lineno) for node in defined)


def _refuse_open_regions(source: str, kind: CellKind, first: int) -> None:
    """Raise AssignmentError unless every region has a begin and an end, in a step's cell.

    A misspelt marker would release a solution.
    """
    markers = [
        (number, line.strip())
        for number, line in enumerate(source.splitlines(), start=first)
        if _MEANT.search(line)
    ]
    if len(markers) % 2:
        markers.append((markers[-1][0], "the end of the cell"))
    for (number, text), wanted in zip(markers, cycle((BEGIN_SOLUTION, END_SOLUTION)), strict=False):
        if kind != "step" or text != wanted:
            raise AssignmentError(
                f"line {number}: {text!r}; wanted {wanted!r}, in a `# %%` cell with one function or class."
            )


def _kind(options: str, source: str) -> CellKind:
    if "[markdown]" in options:
        return "question" if _tagged(options, "question") else "text"
    if _tagged(options, "show"):
        return "show"
    return "step" if BEGIN_SOLUTION in source else "given"


def _tagged(options: str, tag: str) -> bool:
    return any(re.search(rf"[\"']{tag}[\"']", tags) for tags in _TAGS.findall(options))


def _step_name(source: str, line: int) -> str:
    try:
        body = ast.parse(source).body
    except SyntaxError as error:
        number = line + (error.lineno or 1) - 1
        raise AssignmentError(f"line {number}: not Python: {error.msg}.") from None
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef | ast.ClassDef):
        raise AssignmentError(f"line {line}: a step; wanted one function or class, nothing else.")
    return body[0].name


def _regions(source: str) -> Iterator[tuple[str, bool, bool]]:
    """Yield the lines of a step but the end marks; whether each is in a solution; and whether it begins one."""
    inside = False
    for line in source.splitlines():
        mark = line.strip()
        if mark in (BEGIN_SOLUTION, END_SOLUTION):
            inside = mark == BEGIN_SOLUTION
        if mark != END_SOLUTION:
            yield line, inside, mark == BEGIN_SOLUTION


def stub(source: str) -> str:
    """Return a step's source with each solution region replaced by the STUB lines."""
    kept: list[str] = []
    for line, inside, begins in _regions(source):
        if begins:
            indent = line[: len(line) - len(line.lstrip())]
            kept += [indent + part for part in STUB]
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


def without_show_cells(text: str) -> str:
    """Return a script with empty show cells. All other lines keep their line numbers."""
    kept = []
    shown = False
    for line in text.split("\n"):
        marker = _MARKER.match(line)
        if marker:
            shown = _kind(marker["options"], "") == "show"
        kept.append("" if shown else line)
    return "\n".join(kept)


def solution_lines(cells: tuple[Cell, ...]) -> tuple[str, ...]:
    """Return every solution line of the steps, stripped. Students must never get any of them."""
    lines = (line for cell in cells if cell.kind == "step" for line in _regions(cell.source))
    return tuple(
        line.strip() for line, inside, begins in lines if inside and not begins and line.strip()
    )


def marking_lines(cells: tuple[Cell, ...]) -> tuple[str, ...]:
    """Return every line of the model answers and marking schemes, stripped.

    Students must never get any of them.
    """
    questions = [written_question(cell) for cell in cells if cell.kind == "question"]
    parts = [part for question in questions for part in (question.answer, question.scheme)]
    return tuple(text for line in _lines(parts) if (text := line.strip()))


def steps_used(cells: tuple[Cell, ...]) -> dict[str, set[str]]:
    """Return for each step the step itself and all steps that it calls, directly or indirectly."""
    steps = {cell.id: cell for cell in cells if cell.kind == "step"}
    direct = {name: _global_names(cell.source) & steps.keys() for name, cell in steps.items()}
    used = {name: {name} for name in steps}
    for _ in steps:
        for name, found in used.items():
            used[name] = found.union(*(direct[inner] for inner in found))
    return used


def _global_names(source: str) -> set[str]:
    """Return the names that a step reads from its module."""
    tables = [symtable.symtable(source, "<step>", "exec")]
    for table in tables:  # which grows meanwhile
        tables += table.get_children()
    symbols = (symbol for table in tables for symbol in table.get_symbols())
    return {symbol.get_name() for symbol in symbols if symbol.is_global()}
