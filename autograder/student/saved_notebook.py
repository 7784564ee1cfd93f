"""How the saved notebook differs from the runs that were checked: the file is what is handed in.

Only a file that is newer than a run says anything about it. Some front ends keep no file where the kernel can see it.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.python_source import names_bound
from autograder.student.cell_history import CellRun, names_read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from autograder.submission.notebook import NotebookCell

_EDITED = "The cell that defines `{}` was edited after {} and not run: run it, then check again."
_NOT_RUN = "A cell of your notebook that defines `{}` was not run: run it, then check again."
_AGAIN = "A later cell of your notebook (number {}) defines `{}` again: that one will be graded."
_GONE = (
    "The saved notebook has no cell any more that defines `{}`, so nothing of it will be graded."
)


def saved_path(namespace: Mapping[str, object]) -> Path | None:
    """Return the file of the notebook of this kernel, as far as Jupyter or VS Code tells; None if it is not there."""
    told = namespace.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME")
    if not isinstance(told, str) or not told.endswith(".ipynb"):
        return None
    # Jupyter gives the folder twice if the notebook is in a folder below the server's.
    paths = (Path(told), Path(told).parent.parent / Path(told).name)
    return next((path for path in paths if path.is_file()), None)


def differences(path: Path, step: str, kept: Sequence[CellRun]) -> list[str]:
    """Return in sentences how the file would be judged otherwise than the runs, for this step."""
    judged = newest(step, kept)
    status = path.stat()
    if judged is None or status.st_mtime <= judged.at:
        return []
    cells = _code_cells(path, status.st_mtime_ns, status.st_size)
    needed = needed_names(step, kept)
    places = [_place(run, cells) for run in kept]
    found = []
    own = _place(judged, cells)
    for at, cell in enumerate(cells):
        seen = CellRun(cell.number, cell.id, cell.source)
        defines = {*seen.names, *seen.lost} & needed
        if own is not None and at > own and step in defines:
            return [_AGAIN.format(cell.number, step)]
        for run, place in zip(kept, places, strict=True):
            names = needed & {*run.names} | defines
            edited = place == at and run.source.split() != seen.source.split()
            if edited and names and run.at < status.st_mtime:
                found.append(_EDITED.format(_first(names, step), f"In [{run.number}]"))
        if at not in places and defines:
            found.append(_NOT_RUN.format(_first(defines, step)))
    there = {name for cell in cells for name in CellRun(0, "", cell.source).names}
    gone = needed & {name for run in kept for name in run.names} - there
    return found or [_GONE.format(_first(gone, step))] if gone else found


def _first(names: set[str], step: str) -> str:
    return step if step in names else min(names)


def newest(name: str, runs: Sequence[CellRun], *, lost: bool = False) -> CellRun | None:
    """Return the newest run that defines a name; with `lost` that should, in lines that Python cannot read."""
    found = (run for run in runs if name in (run.lost if lost else run.names))
    return max(found, key=lambda run: run.number, default=None)


def needed_names(step: str, runs: Sequence[CellRun]) -> set[str]:
    """Return the names that a step needs, its own among them: those that its statements use, and theirs."""
    needed, waiting = {step}, [step]
    for name in waiting:
        trees = (tree for run in runs if name in run.names for tree in run.trees)
        used = {*names_read(tree for tree in trees if name in names_bound(tree))} - needed
        needed |= used
        waiting += sorted(used)
    return needed


def _place(run: CellRun, cells: Sequence[NotebookCell]) -> int | None:
    """Return where the cell of a run is in the file: by its id, its text, or a step that it defines."""
    tests = (
        lambda cell: bool(run.cell) and cell.id == run.cell,
        lambda cell: cell.source.strip() == run.text.strip(),
        lambda cell: cell.id in run.names,
    )
    places: Iterator[int] = (at for test in tests for at, cell in enumerate(cells) if test(cell))
    return next(places, None)


@lru_cache(maxsize=1)
def _code_cells(path: Path, _changed: int, _size: int) -> tuple[NotebookCell, ...]:
    """Return the cells of the file that grading runs; read again when the file has changed."""
    from autograder.submission.read import cells_of_file  # noqa: PLC0415 - while the worker starts

    return tuple(cell for cell in cells_of_file(path) if cell.kind == "code" and cell.counts)
