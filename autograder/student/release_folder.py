"""The released folder, seen from the notebook in it: its show cells, and what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.assignment.catalogue import EXPECTED
from autograder.errors import Rejected

if TYPE_CHECKING:
    from pathlib import Path


def no_release(folder: Path) -> str:
    """Return what to do in a folder without the files that belong beside the notebook."""
    below = [
        path for pattern in ("*", "*/*") for path in sorted(folder.glob(f"{pattern}/{EXPECTED}"))
    ]
    if below:
        there = f"`%cd {below[0].parent.as_posix()}`"
        return f"The files of this notebook are in another folder: run {there} in a cell, then this cell again."
    return (
        f"There is no {EXPECTED} in {folder}. The notebook needs the files that came with it, in the zip file "
        "that you were given. On your computer: open the notebook in the folder of the unpacked zip file. "
        "In Colab: upload the zip file (the folder symbol on the left), run `!unzip -oq *.zip` in a cell, then "
        "this cell again."
    )


def show_cells(folder: Path) -> frozenset[str]:
    """Return the texts of the code cells that are not graded, of all notebooks in a folder."""
    return frozenset(text for path in folder.glob("*.ipynb") for text in _show_cells_of(path))


def _show_cells_of(path: Path) -> set[str]:
    """Return the texts of a notebook's code cells that are not graded; empty if unreadable."""
    from autograder.submission.notebook import notebook_cells  # noqa: PLC0415 - while the worker starts
    from autograder.submission.read import read_text  # noqa: PLC0415 - while the worker starts

    try:
        cells = notebook_cells(path.name, read_text(path))
    except Rejected:
        return set()
    return {cell.source.strip() for cell in cells if cell.kind == "code" and not cell.counts}
