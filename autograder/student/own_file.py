"""The file in a released folder that a student worked in: `<assignment>.py`, or another beside it."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from autograder.errors import Rejected
from autograder.submission.archive import Place
from autograder.submission.read import is_edited, read_text
from autograder.submission.which_file import exact_names, ranked, right_name, shown, sources

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from autograder.assignment.source import Assignment

_MAX_OTHERS = 20


def own_file(folder: Path, assignment: Assignment) -> tuple[Path, str]:
    """Return the file to check, and a note for the student about the choice; empty if there is none.

    That is `<assignment>.py`. If it is missing or as it was released, it is the first that the student
    worked in: of the files that would be graded, then of others that define a step.
    """
    names = [place.name for place in Place(folder).visible() if not place.is_folder]
    exact, files = exact_names(assignment.name), ranked(names, assignment.name)
    path = folder / exact[0]
    exists = path.name in names
    if exists and _worked_in(path, assignment, unreadable=True):
        copies = [folder / name for name in files if name not in exact]
        return path, _also(path, [copy for copy in copies if _worked_in(copy, assignment)])
    others = [folder / name for name in files if name != path.name]
    more = [folder / name for name in sources(names, assignment.name) if name not in files]
    candidates = chain(others, _defining(more, assignment))
    other = next((file for file in candidates if _worked_in(file, assignment)), None)
    if other is None:
        return path, ""
    why = f"`{path.name}` is as it was released" if exists else f"There is no `{path.name}` here"
    note = f"{why}. You worked in `{shown(other)}`, so that file was checked."
    right = right_name(other.name, assignment.name)
    if other.name != right:
        note += f" Name it `{right}` before you hand it in."
    return other, note


def _also(path: Path, others: list[Path]) -> str:
    if not others:
        return ""
    names = ", ".join(f"`{shown(other)}`" for other in others)
    return f"Checked: `{path.name}`. You worked in {names} too, which was not checked."


def _defining(files: list[Path], assignment: Assignment) -> Iterator[Path]:
    """Yield the files that define a step."""
    steps = "|".join(re.escape(check.name) for check in assignment.checks)
    defines = re.compile(rf"\b(?:def|class) (?:{steps})\b")
    for file in files[:_MAX_OTHERS]:
        try:
            if defines.search(read_text(file)):
                yield file
        except Rejected:
            continue


def _worked_in(path: Path, assignment: Assignment, *, unreadable: bool = False) -> bool:
    """Return whether a student edited a file; return `unreadable` if it cannot be read."""
    try:
        return is_edited(path, assignment)
    except Rejected:
        return unreadable
