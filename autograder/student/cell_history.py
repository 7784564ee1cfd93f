"""What a notebook's kernel has run so far, and which of it still counts.

A notebook's cells are run in any order, many times. Running all of it again would give the state that the student
sees, and repeat each long computation; so what a later run has replaced, and nobody has used, is left out.
"""

from __future__ import annotations

import ast
import symtable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.no_warnings import quiet
from autograder.submission.cells import parsed, without_check_calls, without_magics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from autograder.submission.read import Pieces

_QUIET = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.Pass)


@dataclass
class Run:
    """One run of a cell: its number (that of `In [...]`), the cell's id where the front end sends one, and its text."""

    number: int
    cell: str
    text: str
    failed: bool = field(default=False)

    @cached_property
    def source(self) -> str:
        """The Python in it, without magics and calls of `check`; lines keep their numbers."""
        source, _ = without_magics(self.text)
        return without_check_calls(source)

    @cached_property
    def tree(self) -> ast.Module | None:
        """The same, parsed; None if it is no Python."""
        return parsed(self.source)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that it defines."""
        if self.tree is None:
            return frozenset()
        with quiet():
            symbols = symtable.symtable(self.source, "cell", "exec").get_symbols()
        return frozenset(
            one.get_name() for one in symbols if one.is_assigned() or one.is_imported()
        )

    @cached_property
    def leaves(self) -> frozenset[str]:
        """What it leaves behind: names, and a mark where it does more than define; its cell's next run replaces it."""
        if self.tree is None or not all(map(_only_defines, self.tree.body)):
            return self.names | {f"what {self.cell or self.text} does"}
        return self.names

    @cached_property
    def reads(self) -> frozenset[str]:
        """The names that it uses, now or when its functions are called."""
        found = set()
        for node in ast.walk(self.tree) if self.tree else ():
            name = node.target if isinstance(node, ast.AugAssign) else node
            if isinstance(name, ast.Name) and (name is not node or isinstance(name.ctx, ast.Load)):
                found.add(name.id)
        return frozenset(found)


def _only_defines(statement: ast.stmt) -> bool:
    """Whether a statement does no more than give names to things."""
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


def still_count(runs: Iterable[Run]) -> list[Run]:
    """The runs that made what is there now, in order.

    A run is left out if all that it left behind has been replaced since, and nothing that counts used it in between.
    """
    kept: list[Run] = []
    replaced: set[str] = set()
    wanted: set[str] = set()
    for run in reversed(list(runs)):
        if run.failed and run.tree is not None and not run.names:
            continue
        if run.leaves <= replaced and not run.leaves & wanted:
            continue
        kept.append(run)
        if not run.failed:  # one that failed may have stopped before it replaced anything
            replaced |= run.leaves
            wanted -= run.leaves
        wanted |= run.reads
    return kept[::-1]


class ExecutedCells:
    """The runs of one kernel, in order."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self._open: list[Run] = []

    def remember(self, number: int, text: str) -> None:
        """A cell was run before anybody looked."""
        self.runs.append(Run(number, "", text))

    def begin(self, number: int, cell: str, text: str) -> None:
        """A cell is about to be run; a magic such as `%%capture` runs one inside of another."""
        self.runs.append(Run(number, cell, text))
        self._open.append(self.runs[-1])

    def end(self, *, failed: bool) -> None:
        """The run that began last is over."""
        if self._open:
            self._open.pop().failed = failed

    def define(self, name: str) -> bool:
        """Whether a cell that defines `name`, or bears its name, has been run."""
        return any(run.cell == name or name in run.names for run in self.runs)

    def pieces(self, counts: Callable[[Run], bool]) -> Pieces:
        """What still counts, as pieces of source; `counts` says which cells do at all."""
        kept = still_count(run for run in self.runs if counts(run))
        return tuple((f"cell [{run.number}]", run.source) for run in kept)
