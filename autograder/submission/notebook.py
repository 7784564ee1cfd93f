"""A submitted notebook, in any format version: its cells, and the pieces of source made of them.

Given cells come from the release. Steps and added cells come from the student, in the student's order.
"""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from autograder.errors import Rejected
from autograder.submission.cells import without_check_lines, without_magics
from autograder.values.values import MAX_ITEMS

if TYPE_CHECKING:
    from collections.abc import Container

    from autograder.assignment.source import Assignment

Pieces = tuple[tuple[str, str], ...]

# Cells that import the checks, show results or run checks. Grading runs its own checks.
_NOT_GRADED = re.compile(r"setup$|check_|show-")
_SHOW_TAG = "show"
_LARGEST_COUNT = 1_000_000_000
MAX_CELLS = MAX_ITEMS
_PYTHON = re.compile(r"^(?:def|class|import|from) \w", re.MULTILINE)
# The field with the source of a cell, in the current format and in the older ones.
_SOURCE = {4: ("source",)} | dict.fromkeys((1, 2, 3), ("input", "code", "source", "text"))
_DEEPEST = 6  # level of headings
_OLD_TEXTS = ("heading", "html", "text")


@dataclass(frozen=True)
class NotebookCell:
    """A cell of a submitted notebook.

    `id` is nbgrader's id if there is one: old formats have no other id. `attachments` and `nbgrader`, its metadata,
    are untrusted: check them before you use them. `run` is the number N in Jupyter's `[N]`; None for a cell that was
    not run.
    """

    number: int
    kind: str
    id: str
    source: str
    tags: tuple[str, ...]
    attachments: Any = None
    run: int | None = None
    nbgrader: Any = None

    def place(self, steps: Container[str] = ()) -> str:
        """Return where the student finds the cell: by the number that Jupyter shows beside it.

        A cell that was not run has no such number: then by its step, or by its place in the notebook.
        """
        if self.run is not None:
            return f"[{self.run}]"
        return self.id if self.id in steps else str(self.number)

    @property
    def counts(self) -> bool:
        """Return whether grading runs the cell: it is neither a check nor a show cell."""
        return _SHOW_TAG not in self.tags and not _NOT_GRADED.match(self.id)


def notebook_pieces(name: str, text: str, assignment: Assignment) -> tuple[Pieces, tuple[str, ...]]:
    """Return the release's given cells, then the student's cells, and the removed lines that are not Python.

    Raises Rejected if the text is not a notebook, or has too many cells with code.
    """
    given = {cell.id: cell for cell in assignment.cells if cell.kind == "given"}
    steps = {check.name for check in assignment.checks}
    pieces = {f"{name}, cell {cell.id}": cell.source for cell in given.values()}
    dropped: list[str] = []
    for cell in notebook_cells(name, text):
        # A step's cell that a student turned into Markdown by accident is still the step.
        runs = cell.kind == "code" or cell.id in steps
        if cell.id in given or not runs or not cell.counts:
            continue
        label = f"{name}, cell {cell.place(steps)}"
        if label in pieces:
            label = f"{label} (cell number {cell.number})"
        source, magics = without_magics(cell.source)
        pieces[label] = without_check_lines(source)
        dropped += magics
    if len(pieces) > MAX_ITEMS:  # limit of a request
        raise Rejected(
            f"`{name}` has more than {MAX_ITEMS:,} cells with code. Remove what you do not need, and hand it in again."
        )
    return tuple(pieces.items()), tuple(dropped)


def holds_notebook(text: str) -> bool:
    """Return whether a text is a notebook's, whatever its file is called."""
    return text.lstrip().startswith("{") and '"cells"' in text and '"nbformat"' in text


def notebook_cells(name: str, text: str) -> list[NotebookCell]:
    """Return all cells of a submitted notebook. Raises Rejected if the text is not a notebook."""
    try:
        # Not nbformat: it validates, which is slow, and it warns and changes duplicate ids.
        content = json.loads(text)
        fields = _SOURCE[content["nbformat"]]
        cells = content["cells"] if fields == _SOURCE[4] else _all_cells(content)
        _refuse_too_many(name, cells)
        return [_cell(number, cell, fields) for number, cell in enumerate(cells, start=1)]
    except Rejected:
        raise
    except Exception as error:  # noqa: BLE001 - a damaged notebook may lack or hold anything
        raise Rejected(_unreadable(name, text, error)) from None


def _unreadable(name: str, text: str, error: Exception) -> str:
    if _PYTHON.search(text) and not text.lstrip().startswith(("{", "[")):
        source = f"{name.removesuffix('.ipynb')}.py"
        holds = f"`{name}` is not a notebook that can be read (it holds Python text)"
        return f"{holds}. Name it `{source}`, and hand it in again."
    return (
        f"`{name}` is not a notebook that can be read ({type(error).__name__}). "
        "Open it in Jupyter, save it, and hand it in again."
    )


def _all_cells(content: Any) -> list[Any]:
    """Return the cells of a notebook of an older format, which has sheets of cells."""
    sheets = [content, *content.get("worksheets", ())]
    return list(itertools.chain.from_iterable(sheet.get("cells", ()) for sheet in sheets))


def _refuse_too_many(name: str, cells: Any) -> None:
    if len(cells) > MAX_CELLS:
        raise Rejected(
            f"`{name}` has more than {MAX_CELLS:,} cells. Remove what you do not need, and hand it in again."
        )


def _cell(number: int, cell: Any, fields: tuple[str, ...]) -> NotebookCell:
    kind = str(cell["cell_type"])
    metadata = cell.get("metadata") or {}
    nbgrader = metadata.get("nbgrader") or {}
    name = nbgrader.get("grade_id") or cell.get("id") or ""
    source = next((cell[field] for field in fields if field in cell), "")
    if isinstance(source, list):  # a list of lines
        source = "".join(source)
    if not isinstance(source, str):
        raise TypeError("a cell's source is no text")
    if kind in _OLD_TEXTS:
        level = cell.get("level") if kind == "heading" else 0
        source = f"{'#' * min(level, _DEEPEST)} {source}" if level else source
        kind = "markdown"
    tags = tuple(tag for tag in metadata.get("tags") or () if isinstance(tag, str))
    run = _run(cell.get("execution_count"))
    return NotebookCell(
        number, kind, str(name), source, tags, cell.get("attachments"), run, nbgrader
    )


def _run(count: object) -> int | None:
    return count if type(count) is int and 0 < count < _LARGEST_COUNT else None
