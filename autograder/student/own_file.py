"""The file in a released folder that a student worked in: `<assignment>.py`, or another beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.errors import Rejected
from autograder.submission.copies import is_copy, is_source
from autograder.submission.found import copies_in, visible
from autograder.submission.read import is_edited, read_text
from autograder.submission.which_file import shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.assignment.source import Assignment

_MAX_OTHERS = 20


@dataclass(frozen=True)
class OwnFile:
    """The file to check, and a note for the student about the choice; empty if there is none."""

    path: Path
    note: str = ""


def own_file(folder: Path, assignment: Assignment) -> OwnFile:
    """Return `<assignment>.py`; if it is missing or as it was released, the file that the student worked in."""
    path = folder / f"{assignment.name}.py"
    exists = path.exists()
    if exists and _worked_in(path, assignment, unreadable=True):
        others = [
            copy for copy in copies_in(folder, assignment.name) if _worked_in(copy, assignment)
        ]
        return OwnFile(path, _also(path, others))
    other = next(
        (path for path in _others(folder, assignment) if _worked_in(path, assignment)), None
    )
    if other is None:
        return OwnFile(path)
    why = f"`{path.name}` is as it was released" if exists else f"There is no `{path.name}` here"
    note = f"{why}. You worked in `{shown(other)}`, so that file was checked."
    if other.name != f"{assignment.name}.ipynb":
        ending = "ipynb" if ".ipynb" in other.name.lower() else "py"
        note += f" Name it `{assignment.name}.{ending}` before you hand it in."
    return OwnFile(other, note)


def _also(path: Path, others: list[Path]) -> str:
    if not others:
        return ""
    names = ", ".join(f"`{shown(other)}`" for other in others)
    return f"Checked: `{path.name}`. You worked in {names} too, which was not checked."


def _others(folder: Path, assignment: Assignment) -> Iterator[Path]:
    """Yield the notebook, copies, then other files that define a step."""
    name = assignment.name
    notebook = folder / f"{name}.ipynb"
    if notebook.exists():
        yield notebook
    yield from copies_in(folder, name)
    steps = "|".join(re.escape(check.name) for check in assignment.checks)
    defines = re.compile(rf"\b(?:def|class) (?:{steps})\b")
    skipped = {f"{name}.py", f"{name}.ipynb", f"test_{name}.py", "conftest.py"}
    others = [
        path
        for path in visible(folder)
        if is_source(path.name) and path.name not in skipped and not is_copy(path.name, name)
    ]
    for path in others[:_MAX_OTHERS]:
        try:
            if path.is_file() and defines.search(read_text(path)):
                yield path
        except Rejected:
            continue


def _worked_in(path: Path, assignment: Assignment, *, unreadable: bool = False) -> bool:
    """Return whether a student edited a file; return `unreadable` if it cannot be read."""
    try:
        return is_edited(path, assignment)
    except Rejected:
        return unreadable
