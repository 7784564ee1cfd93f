"""The cells of a submitted notebook, of whatever format."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from autograder.errors import Rejected

# Notebook cells that import the checks, use the steps or check them; grading runs its own checks.
_NOT_GRADED = re.compile(r"setup$|check_|show-")
_SHOW_TAG = "show"
_FORMAT = 4


@dataclass(frozen=True)
class NotebookCell:
    """A cell of a submitted notebook; `id` is nbgrader's, where it has one: old formats know no other.

    Its pictures are as they were handed in: whoever shows them must look at them first.
    """

    number: int
    kind: str
    id: str
    source: str
    tags: tuple[str, ...]
    attachments: Any = None

    @property
    def counts(self) -> bool:
        """Whether it is run in grading: neither a check nor one that only shows something."""
        return _SHOW_TAG not in self.tags and not _NOT_GRADED.match(self.id)


def notebook_cells(name: str, text: str) -> list[NotebookCell]:
    """The cells of a submitted notebook, of whatever kind. Raises Rejected for what is not a notebook."""
    try:
        # Not nbformat.reads: it validates, which takes long, warns on the terminal and changes duplicate ids.
        content = json.loads(text)
        if content["nbformat"] != _FORMAT:
            content = _converted(content)
        return [_cell(number, cell) for number, cell in enumerate(content["cells"], start=1)]
    except Exception as error:  # noqa: BLE001 - nbformat raises many kinds for what is no notebook
        raise Rejected(
            f"`{name}` is not a notebook that can be read ({type(error).__name__}). "
            "Open it in Jupyter, save it, and hand it in again."
        ) from None


def _converted(content: Any) -> Any:
    """A notebook of an older format in today's."""
    import nbformat.reader  # noqa: PLC0415 - a second, for few

    content.setdefault("metadata", {})  # nothing in it counts
    return nbformat.convert(nbformat.reader.reads(json.dumps(content)), _FORMAT)


def _cell(number: int, cell: Any) -> NotebookCell:
    kind = cell["cell_type"]
    metadata = cell.get("metadata") or {}
    name = (metadata.get("nbgrader") or {}).get("grade_id") or cell.get("id") or ""
    source = cell.get("source", "")
    if isinstance(source, list):  # of lines
        source = "".join(source)
    if not isinstance(source, str):
        raise TypeError("a cell's source is no text")
    tags = tuple(map(str, metadata.get("tags") or ()))
    return NotebookCell(number, str(kind), str(name), source, tags, cell.get("attachments"))
