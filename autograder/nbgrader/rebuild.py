"""Put a student's answers into the released notebook, for markers and for the student.

The result always has each released cell once, with the release's metadata. Only the sources of
solution cells and the added cells come from the student.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nbformat import NotebookNode
from nbgrader.utils import is_locked, is_solution

from autograder.nbgrader.student_text import Room, safe_markdown, safe_text
from autograder.nbgrader.submitted_cells import same_words
from autograder.text import utf8

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autograder.submission.notebook_work import NotebookCell


@dataclass
class _Slot:
    """The student's copies of one released cell, and the cells added after it."""

    found: list[NotebookCell] = field(default_factory=list)
    added: list[NotebookCell] = field(default_factory=list)


def rebuild(released: Sequence[Any], cells: Sequence[NotebookCell]) -> list[Any]:
    """Return the cells to show."""
    slots = {"": _Slot(), **{cell.id: _Slot() for cell in released}}
    last = slots[""]
    for cell in cells:
        if cell.id in slots and cell.id:
            last = slots[cell.id]
            last.found.append(cell)
        else:
            last.added.append(cell)
    room = Room()
    chosen = {cell.id: _chosen(cell, slots[cell.id].found) for cell in released}
    # First: notes that a student added leave no answer without room.
    answers = {
        cell.id: _filled(cell, chosen[cell.id], room) for cell in released if is_solution(cell)
    }
    shown = list(_added(slots[""].added, 0, room))
    for cell in released:
        slot = slots[cell.id]
        mine = chosen[cell.id]
        shown.append(answers.get(cell.id) or _filled(cell, mine, room))
        others = [copied for copied in slot.found if copied is not mine and is_solution(cell)]
        shown += _added(others + slot.added, len(shown), room)
    return shown


def _chosen(cell: Any, found: list[NotebookCell]) -> NotebookCell | None:
    """Return the last edited cell of several with one name, or the last if none is edited."""
    edited = [copied for copied in found if not same_words(copied.source, cell.source)]
    return next(reversed(edited or found), None)


def _filled(cell: Any, chosen: NotebookCell | None, room: Room) -> Any:
    filled = copy.copy(cell)
    # A cell that the student did not change is shown as it was released.
    if chosen is not None and not is_locked(cell) and chosen.source != cell.source:
        _fill(filled, chosen, room)
    if filled.cell_type == "code":
        filled.outputs = []
        filled.execution_count = None
    return filled


def _added(cells: Sequence[NotebookCell], place: int, room: Room) -> Iterator[Any]:
    """Yield the student's added cells, which nbgrader ignores; their ids number their positions."""
    shown = room.cells(len(cells))
    for number, cell in enumerate(cells[:shown], start=place + 1):
        kind = cell.kind if cell.kind in ("code", "markdown") else "raw"
        added = new_cell(kind, f"added-{number}", "")
        _fill(added, cell, room)
        yield added
    if more := len(cells) - shown:
        text = (
            f"{more:,} more cells that you added here are not shown. The submitted file has them."
        )
        yield new_cell("markdown", f"added-{place + shown + 1}", text)


def new_cell(kind: str, name: str, source: str) -> Any:
    """Return a new cell, not validated: nbformat's validation takes longer than grading a step."""
    cell = NotebookNode(cell_type=kind, id=name, metadata=NotebookNode(), source=source)
    if kind == "code":
        cell.outputs = []
        cell.execution_count = None
    return cell


def _fill(cell: Any, theirs: NotebookCell, room: Room) -> None:
    """Put a student's text into a cell, cut and cleaned so that no page loads or runs anything in it.

    JSON may hold lone surrogates, which no page can.
    """
    cell.source = room.cut(utf8(theirs.source).decode(), cell.cell_type)
    if cell.cell_type == "markdown":
        cell.source = safe_markdown(cell.source)
    elif cell.cell_type == "raw":
        cell.source = safe_text(cell.source)
