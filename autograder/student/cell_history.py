"""The cell runs of a notebook's kernel, and which of them still count.

Students run cells in any order, many times. What is judged is what stands on the screen: of a cell the text of its
newest run, in the places of the runs that made the present state. A run is skipped if a later run has replaced its
results and no counted run has used them.
"""

from __future__ import annotations

import ast
import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.python_source import Statement, names_bound, statements, without
from autograder.submission.cells import without_check_lines, without_magics

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_QUIET = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.Pass)


@dataclass
class CellRun:
    """One run of a cell.

    Attributes:
        number: the number in `In [...]`.
        cell: the cell's id, empty if the front end sends none.
        text: the cell's text.
        failed: whether the run raised an error.
        at: when it began, in seconds since 1970.
        like: the id of the released cell that it is like; None if nobody has looked.
    """

    number: int
    cell: str
    text: str
    failed: bool = field(default=False)
    at: float = field(default_factory=time.time)
    like: str | None = None

    @cached_property
    def source(self) -> str:
        """The cell's Python, without magics and calls of `check`; lines keep their numbers."""
        source, _ = without_magics(self.text)
        return without_check_lines(source)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The statements, also of a cell that is not Python as a whole."""
        return tuple(statements(self.source))

    @property
    def trees(self) -> list[ast.stmt]:
        """The statements that Python can read."""
        return [one.tree for one in self.statements if one.tree is not None]

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that the cell defines."""
        return frozenset(name for tree in self.trees for name in names_bound(tree))

    @cached_property
    def lost(self) -> frozenset[str]:
        """The names that the cell should define, in lines that Python cannot read."""
        broken = (one for one in self.statements if one.tree is None)
        return frozenset(name for one in broken for name in one.names) - self.names

    @cached_property
    def leaves(self) -> frozenset[str]:
        """The names that the run defines, and a marker if the run does more than define names.

        The next run of the same cell replaces the marker.
        """
        if len(self.trees) < len(self.statements) or not all(map(_only_defines, self.trees)):
            return self.names | {f"what {self.cell or self.text} does"}
        return self.names

    @cached_property
    def reads(self) -> frozenset[str]:
        """The names that the cell uses, now or when its functions are called."""
        return frozenset(names_used(self.trees))


def names_used(trees: Iterable[ast.stmt]) -> Iterable[str]:
    """Yield the names that statements use, now or when their functions are called."""
    for node in (node for tree in trees for node in ast.walk(tree)):
        name = node.target if isinstance(node, ast.AugAssign) else node
        if isinstance(name, ast.Name) and (name is not node or isinstance(name.ctx, ast.Load)):
            yield name.id


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
    """Return the runs that produced the current state, in order, each with the newest text of its cell.

    A run is left out if later runs replaced all its results and no counted run used them in
    between.
    """
    runs = list(runs)
    newest = {run.cell or run.text: run for run in runs}
    kept: list[CellRun] = []
    replaced: set[str] = set()
    wanted: set[str] = set()
    for run in reversed([newest[run.cell or run.text] for run in runs]):
        if run.failed and run.trees and not run.names and not run.lost:
            continue
        if run.leaves <= replaced and not run.leaves & wanted:
            continue
        kept.append(run)
        if not run.failed:  # a failed run may have stopped before it replaced anything
            replaced |= run.leaves
            wanted -= run.leaves
        wanted |= run.reads
    return list({id(run): run for run in reversed(kept)}.values())


def without_lost(runs: Sequence[CellRun]) -> list[CellRun]:
    """Return the runs; those without an id lose what a newer run should define, in lines that Python cannot read.

    Such a newer run is probably of the same cell, which now has nothing else.
    """
    found: list[CellRun] = []
    newer: set[str] = set()
    lost: set[str] = set()
    for run in reversed(runs):
        gone = [tree for tree in run.trees if lost.intersection(names_bound(tree))]
        lost |= run.lost - newer
        newer |= run.names
        text = without(run.source, gone) if gone and not run.cell else run.text
        found.append(replace(run, text=text, like=None))
    return found[::-1]


class CellHistory:
    """The runs of one kernel, in order."""

    def __init__(self) -> None:
        self.runs: list[CellRun] = []
        self._open: list[CellRun] = []

    def remember(self, number: int, text: str) -> None:
        """Record a cell that ran before recording began."""
        self.runs.append(CellRun(number, "", text, at=0.0))

    def begin(self, cell: str, text: str) -> None:
        """Record that a cell starts. Runs may nest: `%%capture` runs a cell in a cell, which has no number."""
        before = self.runs[-1].number if self.runs else 0
        self.runs.append(CellRun(before + (not self._open), cell, text))
        self._open.append(self.runs[-1])

    def end(self, number: int | None = None, *, failed: bool) -> None:
        """Record that the latest open run has ended, and its number: IPython counts before a run, or after it."""
        if self._open:
            run = self._open.pop()
            run.failed = failed
            run.number = run.number if self._open else number or run.number
