"""A loaded assignment, released or with its solution."""

from __future__ import annotations

import functools
import re
import types
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from autograder.assignment.authored import authors_code
from autograder.assignment.libraries import PACKAGES
from autograder.assignment.script import Cell, steps_used

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from autograder.assignment.cases import CaseBook
    from autograder.assignment.checks import Check
    from autograder.assignment.mistakes import Mistake

EXPECTED = "expected.json"


def is_release(folder: Path) -> bool:
    """Return whether a folder is a released assignment."""
    return (folder / EXPECTED).is_file()


@dataclass(frozen=True)
class Assignment:
    """One assignment in its released form.

    Attributes:
        name: the folder's name; students' modules have the same name.
        folder: the folder that the assignment was loaded from.
        checks: one check per step, in order.
        probes: the source code of the checks, which the worker runs.
        cells: the given cells and the stubs, in order.
        packages: what a step may import besides Python's own modules.
    """

    name: str
    folder: Path
    checks: tuple[Check, ...]
    probes: bytes
    cells: tuple[Cell, ...]
    packages: tuple[str, ...] = PACKAGES

    @property
    def max_score(self) -> float:
        """Return the points of all checks together."""
        return sum(self.points.values())

    @property
    def points(self) -> dict[str, float]:
        """Return the points of each step, in order."""
        return {check.name: check.points for check in self.checks}

    @property
    def by_step(self) -> dict[str, Check]:
        """Return the checks by the names of their steps, in order."""
        return {check.name: check for check in self.checks}

    def sources(self, kind: str) -> dict[str, str]:
        """Return the sources of the cells of a kind, `given` or `step`, by their ids."""
        return {cell.id: cell.source for cell in self.cells if cell.kind == kind}

    @property
    def classes(self) -> frozenset[str]:
        """Return the names of the steps that are classes."""
        stubs = self.sources("step").items()
        return frozenset(
            name for name, source in stubs if re.search(r"^class ", source, re.MULTILINE)
        )


@dataclass(frozen=True)
class Source:
    """An assignment with the parts that only instructors have: cases, mistakes and reference.

    Attributes:
        holes: for each step the kinds of edit that no exam has to tell from the right code, each with the reason.
    """

    assignment: Assignment
    script: tuple[Cell, ...]
    cases: CaseBook
    numbers: Mapping[str, Any]
    mistakes: tuple[Mistake, ...] = ()
    remarks: Mapping[str, str] = field(default_factory=dict)
    digest: str = field(default="")
    restated: tuple[Cell, ...] = ()
    holes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def reference(self, replaced: Mapping[str, object] | None = None) -> types.ModuleType:
        """Return a new module with the right implementation.

        `replaced` maps names of functions and classes to replacements. If `replaced` is given, even
        empty, the module uses the implementation of `restated.py`: the same implementation,
        split into more functions.
        """
        script = self.script if replaced is None else self.script + self.restated
        return run_cells(self.assignment.folder, script, replaced or {})

    @functools.cached_property
    def uses(self) -> dict[str, set[str]]:
        """Return for each step the step itself and all steps that it calls.

        Functions of `restated.py`, which mistakes can replace, count as steps.
        """
        return steps_used(self.script + self.restated)


def run_cells(
    folder: Path, script: tuple[Cell, ...], replaced: Mapping[str, object]
) -> types.ModuleType:
    """Return the cells of a script as a module, with some names replaced."""
    path = str(folder / f"{folder.name}.py")
    module = types.ModuleType(folder.name)
    module.__file__ = path
    with authors_code(folder, "while the script is run"):
        for code in _compiled(path, script):
            exec(code, module.__dict__)
    vars(module).update(replaced)
    return module


@functools.lru_cache(maxsize=8)
def _compiled(path: str, script: tuple[Cell, ...]) -> tuple[types.CodeType, ...]:
    """Compile each cell behind empty lines, so that tracebacks show the script's line numbers."""
    return tuple(
        compile("\n" * (cell.line - 1) + cell.source, path, "exec", dont_inherit=True)
        for cell in script
        if cell.kind in ("given", "step")
    )
