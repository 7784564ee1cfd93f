"""Load one assignment, with all its parts, from its folder by path."""

from __future__ import annotations

import functools
import hashlib
import json
import types
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from autograder.assignment.cases import CaseBook, case_book
from autograder.assignment.checks import Check, checks_of
from autograder.assignment.mistakes import Mistake, mistakes_of
from autograder.assignment.script import Cell, functions_of, read_cells, steps_used, stub
from autograder.errors import AssignmentError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True)
class Assignment:
    """One assignment in its released form.

    Attributes:
        name: the folder's name; students' modules have the same name.
        folder: the folder that the assignment was loaded from.
        checks: one check per step, in order.
        probes: the source code of the checks, which the worker runs.
        cells: the given cells and the stubs, in order.
    """

    name: str
    folder: Path
    checks: tuple[Check, ...]
    probes: bytes
    cells: tuple[Cell, ...]

    @property
    def max_score(self) -> float:
        """Return the points of all checks together."""
        return sum(check.points for check in self.checks)


@dataclass(frozen=True)
class Source:
    """An assignment with the parts that only instructors have: cases, mistakes and reference."""

    assignment: Assignment
    script: tuple[Cell, ...]
    cases: CaseBook
    numbers: Mapping[str, Any]
    mistakes: tuple[Mistake, ...] = ()
    remarks: Mapping[str, str] = field(default_factory=dict)
    digest: str = field(default="")
    restated: tuple[Cell, ...] = ()

    def reference(self, replaced: Mapping[str, object] | None = None) -> types.ModuleType:
        """Return a new module with the right implementation.

        `replaced` maps names of functions and classes to replacements. If `replaced` is given, even
        empty, the module uses the implementation of `restated.py`: the same implementation,
        split into more functions.
        """
        path = self.assignment.folder / f"{self.assignment.name}.py"
        script = self.script if replaced is None else self.script + self.restated
        return _run_reference(self.assignment.name, path, script, replaced or {})

    @property
    def uses(self) -> dict[str, set[str]]:
        """Return for each step the step itself and all steps that it calls.

        Functions of `restated.py`, which mistakes can replace, count as steps.
        """
        return steps_used(self.script + self.restated)


def load_source(folder: Path) -> Source:
    """Load an assignment from its folder under `solutions/`.

    Raises AssignmentError if a file is missing, or if steps, checks and cases do not match.
    """
    name = folder.name
    script_text = _read(folder / f"{name}.py")
    probes = _read(folder / f"test_{name}.py")
    script = read_cells(script_text)
    assignment = Assignment(
        name=name,
        folder=folder,
        checks=load_checks(folder / f"test_{name}.py"),
        probes=probes.encode(),
        cells=released_cells(script),
    )
    cases_text = _read(folder / "cases.py")
    documented = folder / "documented.json"
    mistakes = folder / "mistakes.py"
    texts = [script_text, probes, cases_text]
    restated = folder / "restated.py"
    texts += [_read(path) for path in (documented, mistakes, restated) if path.exists()]
    cases = vars(_run_file(folder / "cases.py", f"{name}_cases"))
    source = Source(
        assignment=assignment,
        script=script,
        cases=case_book(cases.values()),
        numbers=_numbers(documented),
        mistakes=_load_mistakes(mistakes, name),
        remarks=cases.get("REMARKS", {}),
        digest=hashlib.sha256("\0".join(texts).encode()).hexdigest(),
        restated=functions_of(_read(restated)) if restated.exists() else (),
    )
    _verify(source)
    return source


def load_checks(path: Path) -> tuple[Check, ...]:
    """Return the checks of an assignment's test file."""
    return checks_of(_run_file(path, f"{path.stem}_checks"))


def load_reference(folder: Path) -> types.ModuleType:
    """Return the right implementation in `folder` as a module: its given and step cells, run."""
    path = folder / f"{folder.name}.py"
    return _run_reference(folder.name, path, read_cells(_read(path)), {})


def released_cells(script: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cells of the stub module: the given cells, and each step without its solution."""
    return tuple(
        replace(cell, source=stub(cell.source)) for cell in script if cell.kind in ("given", "step")
    )


def _run_reference(
    name: str, path: Path, script: tuple[Cell, ...], replaced: Mapping[str, object]
) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__file__ = str(path)
    for code in _compiled(str(path), script):
        exec(code, module.__dict__)
    for step, replacement in replaced.items():
        setattr(module, step, replacement)
    return module


@functools.lru_cache(maxsize=8)
def _compiled(path: str, script: tuple[Cell, ...]) -> tuple[types.CodeType, ...]:
    """Compile each cell behind empty lines, so that tracebacks show the script's line numbers."""
    return tuple(
        compile("\n" * (cell.line - 1) + cell.source, path, "exec", dont_inherit=True)
        for cell in script
        if cell.kind in ("given", "step")
    )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise AssignmentError(f"{path} is missing; an assignment's folder must have it.") from None


def _run_file(path: Path, name: str) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__file__ = str(path)
    exec(compile(_read(path), str(path), "exec", dont_inherit=True), module.__dict__)
    return module


def _numbers(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    return {key: entry["printed"] for key, entry in json.loads(_read(path)).items()}


def _load_mistakes(path: Path, name: str) -> tuple[Mistake, ...]:
    if not path.exists():
        return ()
    return mistakes_of(vars(_run_file(path, f"{name}_mistakes")).values())


def _verify(source: Source) -> None:
    steps = [cell.id for cell in source.script if cell.kind == "step"]
    checks = [check.name for check in source.assignment.checks]
    if steps != checks:
        raise AssignmentError(
            f"{source.assignment.folder}: the script's steps and the checks must have the same names in the "
            f"same order.\n  steps:  {', '.join(steps)}\n  checks: {', '.join(checks)}"
        )
    if missing := [name for name in checks if name not in source.cases.drawn]:
        raise AssignmentError(
            f"{source.assignment.folder / 'cases.py'} draws no inputs for: {', '.join(missing)}."
        )
    known = {cell.id for cell in source.script + source.restated}
    unknown = {mistake.step for mistake in source.mistakes} - known
    if unknown:
        raise AssignmentError(
            f"mistakes.py names steps that do not exist: {', '.join(sorted(unknown))}."
        )
    names = [mistake.name for mistake in source.mistakes]
    if unknown := {mistake.same_as for mistake in source.mistakes} - {"", *names}:
        raise AssignmentError(
            f"mistakes.py says `same_as` of mistakes that do not exist: {', '.join(sorted(unknown))}."
        )
