"""How the saved notebook differs from the runs that were checked: the file is what is handed in.

Only a file that is newer than a run says anything about it. Some front ends keep no file where the kernel can see it.
"""

from __future__ import annotations

import ast
import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.python_source import names_bound
from autograder.student.cell_history import CellRun, names_used

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_EDITED = "The cell that defines `{}` was edited after {} and not run: run it, then check again."
_NOT_RUN = (
    "The cell of your notebook that defines `{}` was not run as it is: run it, then check again."
)
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


def differences(path: Path, step: str, kept: Sequence[CellRun], given: set[str]) -> list[str]:
    """Return in sentences how the file would be judged otherwise than the runs, for this step.

    Args:
        given: the names that the release gives, whatever the cells are.
    """
    judged = newest(step, kept)
    status = path.stat()
    if judged is None or status.st_mtime <= judged.at:
        return []
    cells = _code_cells(path, status.st_mtime_ns, status.st_size)
    needed = needed_names(step, kept) - given
    last = {name: at for at, cell in enumerate(cells) for name in needed & (cell.names | cell.lost)}
    found: dict[str, None] = {}
    for name in (step, *sorted(needed - {step})):
        run = newest(name, kept)
        if run is None and name not in last:  # of Python, or of a library
            continue
        if words := _difference(name, run, last.get(name), cells, status.st_mtime):
            found[words] = None
    return [*found]


def _difference(
    name: str, run: CellRun | None, last: int | None, cells: Sequence[CellRun], saved: float
) -> str:
    """Return how the last cell of the file that defines a name differs from the run that did; empty if it does not."""
    own = _place(run, cells) if run is not None else None
    if last is None:
        return _GONE.format(name)
    if run is None or own is None:
        return _NOT_RUN.format(name)
    if last > own:
        return _AGAIN.format(cells[last].number, name)
    edited = run.source.split() != cells[own].source.split() and run.at < saved
    return _EDITED.format(name, f"In [{run.number}]") if edited else ""


def newest(name: str, runs: Sequence[CellRun], *, lost: bool = False) -> CellRun | None:
    """Return the newest run that defines a name; with `lost` that should, in lines that Python cannot read."""
    found = (run for run in runs if name in (run.lost if lost else run.names))
    return max(found, key=lambda run: run.number, default=None)


def needed_names(step: str, runs: Sequence[CellRun]) -> set[str]:
    """Return the names that a step needs, its own among them: those that its statements use, and theirs."""
    needed, waiting = {step}, [step]
    for name in waiting:
        trees = (tree for run in runs if name in run.names for tree in run.trees)
        used = set().union(*(_globals(tree) for tree in trees if name in names_bound(tree)))
        used -= needed
        needed |= used
        waiting += sorted(used)
    return needed


def _globals(tree: ast.stmt) -> set[str]:
    """Return the names that a statement uses, without the arguments and variables of a function."""
    names = {*names_used([tree])}
    if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        for node in ast.walk(tree):
            if isinstance(node, ast.arg):
                names.discard(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.discard(node.id)
    return names


def _place(run: CellRun, cells: Sequence[CellRun]) -> int | None:
    """Return where the cell of a run is in the file: by its id, its text, or a step that it defines."""
    tests = (
        lambda cell: bool(run.cell) and cell.cell == run.cell,
        lambda cell: cell.text.strip() == run.text.strip(),
        lambda cell: cell.cell in run.names,
    )
    places: Iterator[int] = (at for test in tests for at, cell in enumerate(cells) if test(cell))
    return next(places, None)


@lru_cache(maxsize=1)
def _code_cells(path: Path, _changed: int, _size: int) -> tuple[CellRun, ...]:
    """Return the cells of the file that grading runs, as runs; read again when the file has changed."""
    from autograder.submission.read import cells_of_file  # noqa: PLC0415 - while the worker starts

    counting = (one for one in cells_of_file(path) if one.kind == "code" and one.counts)
    return tuple(CellRun(one.number, one.id, one.source) for one in counting)
