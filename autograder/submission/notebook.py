"""The cells of a submitted notebook in any format version."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from autograder.errors import Rejected

# Cells that import the checks, show results or run checks. Grading runs its own checks.
_NOT_GRADED = re.compile(r"setup$|check_|show-")
_SHOW_TAG = "show"
_FORMAT = 4


@dataclass(frozen=True)
class NotebookCell:
    """A cell of a submitted notebook.

    `id` is nbgrader's id if there is one: old formats have no other id. `attachments` are
    untrusted: check them before you show them.
    """

    number: int
    kind: str
    id: str
    source: str
    tags: tuple[str, ...]
    attachments: Any = None

    @property
    def counts(self) -> bool:
        """Return whether grading runs the cell: it is neither a check nor a show cell."""
        return _SHOW_TAG not in self.tags and not _NOT_GRADED.match(self.id)


def notebook_cells(name: str, text: str) -> list[NotebookCell]:
    """Return all cells of a submitted notebook. Raises Rejected if the text is not a notebook."""
    try:
        # Not nbformat.reads: it validates, which is slow, and it warns and changes duplicate ids.
        content = json.loads(text)
        if content["nbformat"] != _FORMAT:
            content = _converted(content)
        return [_cell(number, cell) for number, cell in enumerate(content["cells"], start=1)]
    except Exception as error:  # noqa: BLE001 - nbformat raises many exception types
        raise Rejected(
            f"`{name}` is not a notebook that can be read ({type(error).__name__}). "
            "Open it in Jupyter, save it, and hand it in again."
        ) from None


def _converted(content: Any) -> Any:
    """Convert a notebook of an older format to the current format."""
    import nbformat.reader  # noqa: PLC0415 - takes 1 s and is rarely needed

    content.setdefault("metadata", {})  # grading does not use the notebook's metadata
    return nbformat.convert(nbformat.reader.reads(json.dumps(content)), _FORMAT)


def _cell(number: int, cell: Any) -> NotebookCell:
    kind = cell["cell_type"]
    metadata = cell.get("metadata") or {}
    name = (metadata.get("nbgrader") or {}).get("grade_id") or cell.get("id") or ""
    source = cell.get("source", "")
    if isinstance(source, list):  # a list of lines
        source = "".join(source)
    if not isinstance(source, str):
        raise TypeError("a cell's source is no text")
    tags = tuple(map(str, metadata.get("tags") or ()))
    return NotebookCell(number, str(kind), str(name), source, tags, cell.get("attachments"))
