"""Load one assignment, with all its parts, from its folder by path."""

from __future__ import annotations

import hashlib
import json
import sys
import types
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from autograder.assignment.assignment import Assignment, Source, run_reference
from autograder.assignment.authored import authors_file, refuse_twice
from autograder.assignment.cases import case_book
from autograder.assignment.checks import Check, checks_of
from autograder.assignment.mistakes import Mistake, mistakes_of
from autograder.assignment.script import Cell, functions_of, read_cells, stub
from autograder.assignment.verify import verify
from autograder.errors import AssignmentError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The module that `mistakes.py` can import: it stands beside the assignments' folders.
_FAMILIES = "families"
__all__ = ["Assignment", "Source", "load_checks", "load_reference", "load_source"]


def load_source(folder: Path) -> Source:
    """Load an assignment from its folder under `solutions/`.

    Raises AssignmentError if a file is missing, or if steps, checks and cases do not match.
    """
    name = folder.name
    script_text = _read(folder / f"{name}.py")
    probes = _read(folder / f"test_{name}.py")
    script = _read_script(folder / f"{name}.py")
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
    optional = (documented, mistakes, restated, _families(folder))
    texts += [_read(path) for path in optional if path.exists()]
    cases = vars(_run_file(folder / "cases.py", f"{name}_cases"))
    source = Source(
        assignment=assignment,
        script=script,
        cases=case_book(cases.values()),
        numbers=_numbers(documented),
        mistakes=_load_mistakes(mistakes, name),
        remarks=cases.get("REMARKS", {}),
        digest=hashlib.sha256("\0".join(texts).encode()).hexdigest(),
        restated=_restated(restated) if restated.exists() else (),
    )
    verify(source)
    return source


def load_checks(path: Path) -> tuple[Check, ...]:
    """Return the checks of an assignment's test file."""
    return checks_of(_run_file(path, f"{path.stem}_checks"))


def load_reference(folder: Path) -> types.ModuleType:
    """Return the right implementation in `folder` as a module: its given and step cells, run."""
    path = folder / f"{folder.name}.py"
    return run_reference(folder.name, path, _read_script(path), {})


def released_cells(script: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cells of the stub module: the given cells, and each step without its solution."""
    return tuple(
        replace(cell, source=stub(cell.source)) for cell in script if cell.kind in ("given", "step")
    )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise AssignmentError(f"{path} is missing; an assignment's folder must have it.") from None
    except UnicodeDecodeError as error:
        raise AssignmentError(
            f"{path} is not UTF-8 text (byte {error.start}). Save it as UTF-8."
        ) from None


def _read_script(path: Path) -> tuple[Cell, ...]:
    """Return the cells of a script. Raises AssignmentError with the name of the file."""
    try:
        return read_cells(_read(path))
    except AssignmentError as error:
        raise AssignmentError(f"{path.parent.name}/{path.name}: {error}") from None


def _run_file(path: Path, name: str) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__file__ = str(path)
    with authors_file(path):
        exec(compile(_read(path), str(path), "exec", dont_inherit=True), module.__dict__)
    refuse_twice(path)
    return module


def _numbers(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return {key: entry["printed"] for key, entry in json.loads(_read(path)).items()}
    except json.JSONDecodeError as error:
        raise AssignmentError(
            f"{path.parent.name}/{path.name}, line {error.lineno}: this is not JSON: {error.msg}."
        ) from None
    except (AttributeError, KeyError, TypeError):
        raise AssignmentError(
            f'{path.parent.name}/{path.name} must be {{"name": {{"printed": numbers}}, ...}}.'
        ) from None


def _restated(path: Path) -> tuple[Cell, ...]:
    with authors_file(path):
        return functions_of(_read(path), str(path))


def _families(folder: Path) -> Path:
    """Return the file with what the mistakes of several assignments share; it may be missing."""
    return folder.parent / f"{_FAMILIES}.py"


def _load_mistakes(path: Path, name: str) -> tuple[Mistake, ...]:
    if not path.exists():
        return ()
    families = _families(path.parent)
    if not families.exists():
        return mistakes_of(vars(_run_file(path, f"{name}_mistakes")))
    with _importable(_run_file(families, _FAMILIES)):
        return mistakes_of(vars(_run_file(path, f"{name}_mistakes")))


@contextmanager
def _importable(module: types.ModuleType) -> Iterator[None]:
    """Let `import` find a module by its name in this block, and only there: another folder may have one too."""
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        del sys.modules[module.__name__]
        if before is not None:
            sys.modules[module.__name__] = before
