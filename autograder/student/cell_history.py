"""The cell runs of a notebook's kernel, and which of them still count.

Students run cells in any order, many times. Running all of them again would restore the state that
the student sees, but repeat every long computation. So a run is skipped if a later run has replaced
its results and no counted run has used them.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.python_source import compiles, names_bound, parsed
from autograder.submission.cells import without_check_calls, without_magics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from autograder.submission.notebook import Pieces

_QUIET = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.Pass)


@dataclass
class CellRun:
    """One run of a cell.

    Attributes:
        number: the number in `In [...]`.
        cell: the cell's id, empty if the front end sends none.
        text: the cell's text.
        failed: whether the run raised an error.
    """

    number: int
    cell: str
    text: str
    failed: bool = field(default=False)

    @cached_property
    def source(self) -> str:
        """The cell's Python, without magics and calls of `check`; lines keep their numbers."""
        source, _ = without_magics(self.text)
        return without_check_calls(source)

    @cached_property
    def tree(self) -> ast.Module | None:
        """The parsed source; None if it is not valid Python, for example a `return` outside of a function."""
        tree = parsed(self.source)
        return tree if tree and compiles(tree) else None

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that the cell defines."""
        statements = self.tree.body if self.tree else ()
        return frozenset(name for statement in statements for name in names_bound(statement))

    @cached_property
    def leaves(self) -> frozenset[str]:
        """The names that the run defines, and a marker if the run does more than define names.

        The next run of the same cell replaces the marker.
        """
        if self.tree is None or not all(map(_only_defines, self.tree.body)):
            return self.names | {f"what {self.cell or self.text} does"}
        return self.names

    @cached_property
    def reads(self) -> frozenset[str]:
        """The names that the cell uses, now or when its functions are called."""
        names = set()
        for node in ast.walk(self.tree) if self.tree else ():
            name = node.target if isinstance(node, ast.AugAssign) else node
            if isinstance(name, ast.Name) and (name is not node or isinstance(name.ctx, ast.Load)):
                names.add(name.id)
        return frozenset(names)


def _only_defines(statement: ast.stmt) -> bool:
    """Return whether a statement only defines names."""
    match statement:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=targets):
            return all(isinstance(target, ast.Name | ast.Tuple) for target in targets)
        case ast.AnnAssign(target=ast.Name()):
            return True
        case ast.ImportFrom(names=names):
            return names[0].name != "*"
    return isinstance(statement, _QUIET)


def still_count(runs: Iterable[CellRun]) -> list[CellRun]:
    """Return the runs that produced the current state, in order.

    A run is left out if later runs replaced all its results and no counted run used them in
    between.
    """
    kept: list[CellRun] = []
    replaced: set[str] = set()
    wanted: set[str] = set()
    for run in reversed(list(runs)):
        if run.failed and run.tree is not None and not run.names:
            continue
        if run.leaves <= replaced and not run.leaves & wanted:
            continue
        kept.append(run)
        if not run.failed:  # a failed run may have stopped before it replaced anything
            replaced |= run.leaves
            wanted -= run.leaves
        wanted |= run.reads
    return kept[::-1]


class CellHistory:
    """The runs of one kernel, in order."""

    def __init__(self) -> None:
        self.runs: list[CellRun] = []
        self._open: list[CellRun] = []

    def remember(self, number: int, text: str) -> None:
        """Record a cell that ran before recording began."""
        self.runs.append(CellRun(number, "", text))

    def begin(self, number: int, cell: str, text: str) -> None:
        """Record that a cell starts. Runs may nest: `%%capture` runs a cell in a cell."""
        self.runs.append(CellRun(number, cell, text))
        self._open.append(self.runs[-1])

    def end(self, *, failed: bool) -> None:
        """Record that the latest open run has ended."""
        if self._open:
            self._open.pop().failed = failed

    def define(self, name: str) -> bool:
        """Return whether a cell that defines `name`, or has `name` as its id, has been run."""
        return any(run.cell == name or name in run.names for run in self.runs)

    def pieces(self, counts: Callable[[CellRun], bool]) -> Pieces:
        """Return the runs that still count, as source; `counts` says which cells can."""
        kept = still_count(run for run in self.runs if counts(run))
        return tuple((f"cell [{run.number}]", run.source) for run in kept)
