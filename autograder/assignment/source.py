"""Find an assignment, and load it with all its parts from its folder by path."""

from __future__ import annotations

import ast
import hashlib
import json
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.assignment.assignment import Assignment, Source, run_cells
from autograder.assignment.authored import FAMILIES, authors_code
from autograder.assignment.cases import case_book
from autograder.assignment.checks import Check, checks_of, run_source
from autograder.assignment.hints import HINTS, read_hints
from autograder.assignment.libraries import PACKAGES
from autograder.assignment.mistakes import Mistake, mistakes_of
from autograder.assignment.script import Cell, functions_of, read_cells, stub
from autograder.assignment.verify import refuse_imports, refuse_name, verify
from autograder.errors import AssignmentError, UsageError
from autograder.python_source import packages_imported
from autograder.text import nearest

if TYPE_CHECKING:
    import types
    from collections.abc import Iterator, Sequence

LOADED = "while the file is loaded"

__all__ = ["Assignment", "Source", "load_checks", "load_source", "source_names"]


def source_names(solutions: Path) -> list[str]:
    """Return the names of the assignments in `solutions`."""
    if not solutions.is_dir():
        raise UsageError(
            f"There is no folder {solutions}. Run this in the project's folder, or name that: --solutions "
            "says where the assignments are, `bundle --project` where the project is."
        )
    return sorted(
        folder.name
        for folder in solutions.iterdir()
        if any((folder / file).is_file() for file in (f"{folder.name}.py", "cases.py"))
    )


def unknown_assignment(name: str, folder: Path, known: Sequence[str]) -> UsageError:
    """Return the error for an assignment that does not exist."""
    return UsageError(f"There is no assignment {name!r} in {folder}. {nearest(name, known)}")


def load_source(folder: Path) -> Source:
    """Load an assignment from its folder under `solutions/`.

    Raises AssignmentError if a file is missing, or if steps, checks and cases do not match.
    """
    refuse_name(folder)
    name = folder.name
    script_path, checks_path, cases_path = needed = [
        folder / file for file in (f"{name}.py", f"test_{name}.py", "cases.py")
    ]
    documented, mistakes, restated, families = further = [
        folder / "documented.json",
        folder / "mistakes.py",
        folder / "restated.py",
        folder.parent / FAMILIES,
    ]
    texts = {path: _read(path) for path in (*needed, *filter(Path.exists, further))}
    script = _cells(script_path, texts[script_path])
    assignment = _assignment(folder, script, checks_path, texts[checks_path])
    cases = vars(_run(cases_path, texts[cases_path]))
    source = Source(
        assignment=assignment,
        script=script,
        cases=case_book(cases.values()),
        numbers=_numbers(documented, texts.get(documented, "{}")),
        mistakes=_mistakes(mistakes, texts.get(mistakes, ""), families, script),
        remarks=cases.get("REMARKS", {}),
        holes=cases.get("HOLES", {}),
        digest=hashlib.sha256("\0".join(texts.values()).encode()).hexdigest(),
        restated=_restated(restated, texts.get(restated, "")),
    )
    verify(source)
    return source


def _assignment(
    folder: Path, script: tuple[Cell, ...], checks_path: Path, probes: str
) -> Assignment:
    """Return what is released of an assignment, with its hints. No mark depends on them, so the digest does not."""
    run = "\n".join(cell.source for cell in script if cell.kind in ("given", "step"))
    imported = {package for _, package in packages_imported(ast.parse(run))}
    path = folder / HINTS
    hints = read_hints(path, _read(path)) if path.exists() else {}
    checks = _checks(checks_path, probes)
    return Assignment(
        name=folder.name,
        folder=folder,
        checks=tuple(replace(check, hints=hints.get(check.name, {})) for check in checks),
        probes=probes.encode(),
        cells=released_cells(script),
        packages=tuple(sorted({*PACKAGES, *imported} - sys.stdlib_module_names)),
    )


def load_checks(path: Path) -> tuple[Check, ...]:
    """Return the checks of an assignment's test file."""
    return _checks(path, _read(path))


def _checks(path: Path, text: str) -> tuple[Check, ...]:
    with authors_code(path.parent, LOADED):
        refuse_imports(path, ast.parse(text, str(path)))
    return checks_of(_run(path, text))


def released_cells(script: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cells of the stub module: the given cells, and each step without its solution."""
    return tuple(
        replace(cell, source=stub(cell.source)) for cell in script if cell.kind in ("given", "step")
    )


def _read(path: Path) -> str:
    with authors_code(path.parent, f"while {path.name} is read"):
        return path.read_text(encoding="utf-8-sig")  # editors on Windows may write a mark first


def _cells(path: Path, text: str) -> tuple[Cell, ...]:
    """Return the cells of a script. Raises AssignmentError with the name of the file."""
    try:
        return read_cells(text)
    except AssignmentError as error:
        raise AssignmentError(f"{path.parent.name}/{path.name}, {error}") from None


def _run(path: Path, text: str, name: str = "") -> types.ModuleType:
    """Run a file as a module that cannot be imported by name."""
    with authors_code(path.parent, LOADED):
        return run_source(text, name or f"{path.parent.name}_{path.stem}", str(path))


def _numbers(path: Path, text: str) -> dict[str, Any]:
    """Return the printed numbers of `documented.json`: {"name": {"printed": numbers}, ...}."""
    with authors_code(path.parent, f"while {path.name} is read"):
        return {key: entry["printed"] for key, entry in json.loads(text).items()}


def _restated(path: Path, text: str) -> tuple[Cell, ...]:
    with authors_code(path.parent, LOADED):
        return functions_of(text, str(path))


def _mistakes(
    path: Path, text: str, families: Path, script: tuple[Cell, ...]
) -> tuple[Mistake, ...]:
    """Return the mistakes of an assignment. They may import `families`, and the reference by the assignment's name."""
    name = path.parent.name
    with ExitStack() as importable:
        if text and families.exists():
            module = _run(families, _read(families), families.stem)
            importable.enter_context(_importable(families.stem, module))
        if name in text:
            importable.enter_context(_importable(name, run_cells(path.parent, script, {})))
        return mistakes_of(vars(_run(path, text)))


@contextmanager
def _importable(name: str, module: types.ModuleType) -> Iterator[None]:
    """Let `import` find a module by its name in this block, and only there: another folder may have one too."""
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        yield
    finally:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before
