"""Write answers as notebooks for the two notebook graders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import nbformat
from nbformat import v4

if TYPE_CHECKING:
    from pathlib import Path

_KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def code_cell(name: str, source: str, nbgrader: dict[str, Any] | None = None) -> Any:
    """Return a code cell with this id, and with nbgrader's metadata if given."""
    metadata = (
        {} if nbgrader is None else {"nbgrader": nbgrader | {"grade_id": name, "schema_version": 3}}
    )
    return v4.new_code_cell(source, id=name, metadata=metadata)


def write_notebook(path: Path, cells: list[Any]) -> None:
    """Write a notebook for the Python kernel."""
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(v4.new_notebook(cells=cells, metadata={"kernelspec": _KERNEL}), path)
