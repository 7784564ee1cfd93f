"""Find submissions: each student's files, by file name."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

SUFFIXES = (".py", ".ipynb")
SKIPPED = "__MACOSX"


@dataclass(frozen=True)
class Found:
    """One submission: the student, the path, and the files with the assignment's name.

    `files` is empty, a `.py`, an `.ipynb`, or both.
    """

    student: str
    path: Path
    files: tuple[Path, ...]


def find_submissions(paths: Iterable[Path], assignment: str) -> list[Found]:
    """Return all submissions in `paths`, sorted by student.

    A file is one submission. A folder is one submission if the folder, or its subfolder with the
    assignment's name, contains a file with the assignment's name. In any other folder each visible
    child is one submission.

    Raises UsageError if a path is missing or two submissions have the same name.
    """
    found: list[Found] = []
    for path in paths:
        if not path.exists() and not path.is_symlink():
            raise UsageError(f"There is no {path}. Give a submission, or a folder of submissions.")
        if not path.is_dir() or _fitting(path, assignment):
            found.append(_one(path, assignment))
        else:
            children = [child for child in path.iterdir() if not hidden(child)]
            found += [_child(child, assignment) for child in children]
    found.sort(key=lambda one: one.student)
    _refuse_equal_names(found)
    return found


def hidden(path: Path) -> bool:
    """Return whether a path is a system file, not a submission."""
    return path.name.startswith(".") or path.name == SKIPPED


def _child(path: Path, assignment: str) -> Found:
    """Return one submission of a folder. A link has no files, because it may point anywhere."""
    return Found(_normal(path.name), path, ()) if path.is_symlink() else _one(path, assignment)


def _one(path: Path, assignment: str) -> Found:
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - resolves `..` but no links
    if path.is_dir():
        return Found(_normal(absolute.name), path, tuple(_fitting(path, assignment)))
    student = path.stem if path.stem != assignment else absolute.parent.name or path.stem
    files = (path,) if path.suffix in SUFFIXES else ()
    return Found(_normal(student), path, files)


def _fitting(folder: Path, assignment: str) -> list[Path]:
    for place in (folder, folder / assignment):
        if place.is_symlink() and place != folder:
            continue
        files = [place / f"{assignment}{suffix}" for suffix in SUFFIXES]
        if present := [file for file in files if os.path.lexists(file)]:
            return present
    return []


def _normal(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _refuse_equal_names(found: list[Found]) -> None:
    seen: dict[str, Found] = {}
    for one in found:
        other = seen.setdefault(one.student.casefold(), one)
        if other is not one:
            raise UsageError(
                f"Two submissions have the same name, {one.student!r}:\n  {other.path}\n  {one.path}\n"
                "Rename one of them; nothing has been graded."
            )
